import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { APP_AXIS, factsOf } from "../record/cell.ts";
import type { UserServer } from "../record/user-spec.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";

/** The origin of a run's suite. */
export interface SuiteOrigin {
  readonly plan: { readonly suite: Pick<RunRecord["plan"]["suite"], "name" | "module" | "source" | "own"> };
  readonly levelfield: Pick<RunRecord["levelfield"], "source_sha256">;
}

/** Returns a text that is equal for equal suites, sources included: any user may name a suite `app`. */
export function suiteIdentity({ plan: { suite }, levelfield }: SuiteOrigin): string {
  const { name, module, source, own: spec } = suite;
  if (spec !== undefined) {
    const servers = spec.servers.map((server) =>
      server.kind === "app"
        ? [server.name, server.sha256]
        : server.kind === "command"
        ? [server.name, server.command, server.files]
        : [server.name, server.url]
    );
    return JSON.stringify([name, servers, spec.requests, spec.draws]);
  }
  if (source !== undefined) return JSON.stringify([name, source.sha256]);
  // A module given by its path counts as source of the run.
  return JSON.stringify(module === null ? [name] : [name, levelfield.source_sha256]);
}

/**
 * Returns a text that is equal for user apps with the same names, modules and requests, whatever state their folders were
 * in: a change beside a program changes the hash of its folder, too. Of other suites it is their identity.
 */
export function appsIdentity(run: SuiteOrigin): string {
  const { name, own: spec } = run.plan.suite;
  if (spec === undefined) return suiteIdentity(run);
  const servers = spec.servers.map((
    server,
  ) => [server.name, server.kind === "app" ? server.module : server.kind === "command" ? server.command : server.url]);
  return JSON.stringify([name, servers, spec.requests, spec.draws]);
}

/** A plan's suite, without its title. */
export type SuiteSource = Pick<Plan["suite"], "module" | "source" | "own">;

/** Returns the source of a cell outside this project, as text; null if it has none. */
export function cellSource(
  { module, source, own: spec }: SuiteSource,
  axes: readonly PlanAxis[],
  { point: { at } }: Cell,
): string | null {
  const modules = axes.flatMap((axis) => {
    const { file, sha256 } = factsOf(axis, at);
    return file === undefined || sha256 === undefined ? [] : [sha256];
  });
  const server = spec?.servers.find(({ name }) => name === at[APP_AXIS]);
  const served = server === undefined ? null : [serverSource(server), spec!.requests, spec!.draws];
  if (served === null && module === null && modules.length === 0) return null;
  return JSON.stringify([served, module, source?.sha256 ?? null, modules]);
}

function serverSource(server: UserServer): unknown {
  switch (server.kind) {
    case "app":
      return [server.sha256, server.listens?.args ?? null];
    case "command":
      return [server.command, server.files];
    case "target":
      return server.url;
  }
}
