import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { failure } from "../basics/errors.ts";
import type { Plan } from "../record/plan.ts";
import type { Host } from "../pipe/host.ts";
import { localHost } from "../pipe/local-host.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { homeOf, type SourceLocation } from "../sources/source-hash.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { plannedModules } from "./user-modules.ts";

interface UserSource extends SourceLocation {
  readonly name: string;
}

/**
 * Makes sure that the hosts of servers and services have the same modules of the user that a plan names. Throws a failure that
 * names the first that is missing or another, with both hashes and hosts.
 *
 * @param folder the one a plan was read from; paths are from there, or from the current one
 */
export async function requireSameModules(
  { server, service }: Pick<Hosts, "server" | "service">,
  plan: Pick<Plan, "suite" | "axes">,
  folder: string,
): Promise<void> {
  const sources = userSources(plan, folder);
  if (sources.length > 0) { for (const host of new Set([server, service])) await requireSame(host, sources); }
}

async function requireSame(host: Host, sources: readonly UserSource[]): Promise<void> {
  const { command } = host;
  if (command === null) return;
  const wanted = sources.map(({ file, home }) => ({ file, home }));
  const [here, there] = [await localHost().sources(wanted), await host.sources(wanted)];
  for (const [n, { name, file }] of sources.entries()) {
    if (there[n] === here[n]) continue;
    const short = (hash: string | null | undefined) => hash?.slice(0, 12) ?? "nothing";
    const hint = `copy it to ${file} there`;
    if (there[n] === null) throw failure(`"${name}" is not on host "${command}", source ${short(here[n])} here`, hint);
    const what = `"${name}" on host "${command}" is source ${short(there[n])}, and ${short(here[n])} here`;
    throw failure(what, `${hint}, with all source in its folder`);
  }
}

/** Modules and programs that a plan names by path, if they are here. */
function userSources(plan: Pick<Plan, "suite" | "axes">, folder: string): UserSource[] {
  const { module, own: spec } = plan.suite;
  const found = (path: string, home = ".") =>
    [resolve(home, path), resolve(folder, home, path)].filter((file) => existsSync(file)).slice(0, 1);
  const withHome = (name: string, path: string) =>
    found(path).map((file) => {
      const home = homeOf(file);
      // The other files of this checkout are compared when an agent connects.
      return { name, file, home: home === resolve(PROJECT_ROOT) ? null : home };
    });
  return [
    ...(module === null ? [] : withHome(module, module)),
    ...(spec?.servers ?? []).flatMap((server): UserSource[] =>
      server.kind === "app"
        ? withHome(server.name, server.module)
        : server.kind === "command"
        ? server.files.flatMap(({ path }) =>
          found(path, server.home).map((file) => ({ name: `${path} of ${server.name}`, file, home: null }))
        )
        : []
    ),
    ...plannedModules(plan, folder).flatMap(({ value, found: file }) =>
      file === null ? [] : [{ name: value, file, home: null }]
    ),
  ];
}
