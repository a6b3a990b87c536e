import type { FilesEvent, FilesSpec, Point, Suite } from "../../suites/suite.ts";
import type { BuildRequest, Host } from "../pipe/host.ts";
import { localHost } from "../pipe/local-host.ts";
import type { Hosts } from "./sample-load.ts";

interface FilesRequest extends Omit<BuildRequest, "verify" | "cpus">, Partial<Pick<BuildRequest, "verify" | "cpus">> {
  /** The host that builds them: this machine by default. */
  readonly host?: Host;
  readonly onEvent?: (event: FilesEvent) => void;
  readonly onStart?: (kill: () => void) => void;
}

/** Files that are ready, and for what. */
export type ReadyFiles = Extract<FilesEvent, { event: "ready" }> & { readonly spec: FilesSpec };

/** The files that are there, and why the others are missing. */
export interface PreparedFiles {
  /** Files of services on another host. */
  readonly ofServices?: PreparedFiles | undefined;
  readonly ready: readonly ReadyFiles[];
  readonly failed: string | null;
  /** The folder of a spec's files; undefined if it was not built. */
  directoryOf(spec: FilesSpec): string | undefined;
}

const keyOf = ({ builder, request, runtime }: FilesSpec) =>
  JSON.stringify([builder, runtime, Object.entries(request).sort(([a], [b]) => a < b ? -1 : 1)]);

/**
 * Builds what is missing or damaged, each thing once, in separate processes: the driver sleeps, and a stop leaves
 * nothing half-made.
 */
export async function prepareFiles(request: FilesRequest): Promise<PreparedFiles> {
  const wanted = new Map(request.specs.map((spec) => [keyOf(spec), spec]));
  const { host = localHost(), dataDirectory, root, verify = "quick", cpus = null, onStart } = request;
  const ready: ReadyFiles[] = [];
  let failed: string | null = null;
  for (const specs of Map.groupBy(wanted.values(), (spec) => JSON.stringify([spec.builder, spec.runtime])).values()) {
    failed = await host.build({ specs, dataDirectory, root, verify, cpus }, {
      onStart,
      onEvent(event) {
        request.onEvent?.(event);
        if (event.event === "ready") ready.push({ ...event, spec: specs[event.request]! });
      },
    });
    if (failed !== null) break;
  }
  const byKey = new Map(ready.map((files) => [keyOf(files.spec), files.directory]));
  return { ready, failed, directoryOf: (spec) => byKey.get(keyOf(spec)) };
}

/** The same for points of a suite: on the servers' host, and for those with services on the services' where that is another. */
export async function preparePoints(
  { suite, points, hosts, dataDirectory, ...how }:
    & Pick<FilesRequest, "dataDirectory" | "verify" | "onEvent" | "onStart">
    & {
      readonly suite: Suite;
      readonly points: readonly Point[];
      readonly hosts: Pick<Hosts, "server" | "service">;
    },
): Promise<PreparedFiles> {
  const on = (host: Host, here: readonly Point[]) => {
    const specs = here.flatMap((point) => suite.files?.(point) ?? []);
    return prepareFiles({ ...how, host, dataDirectory: host.dataFolder(dataDirectory), specs });
  };
  const files = await on(hosts.server, points);
  if (hosts.service === hosts.server) return files;
  const ofServices = await on(hosts.service, points.filter((point) => suite.services?.(point, "")?.length));
  return { ...files, failed: files.failed ?? ofServices.failed, ofServices };
}

/**
 * The folders a spec's files are in for servers and their services, null without a spec, or why they are not there.
 *
 * @param ofServices the files of services
 */
export function directoryFor(
  spec: FilesSpec | null,
  files: PreparedFiles,
  { ofServices = files } = files,
): { readonly directory: string | null; readonly ofServices: string | null } | { readonly failed: string } {
  const directory = spec === null ? null : files.directoryOf(spec);
  return directory === undefined
    ? { failed: files.failed ?? "it was not built" }
    : { directory, ofServices: spec === null ? null : ofServices.directoryOf(spec) ?? null };
}
