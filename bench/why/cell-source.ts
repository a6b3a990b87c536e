import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { factsOf } from "../record/cell.ts";
import type { OwnServer } from "../record/own-spec.ts";
import type { Plan } from "../record/plan.ts";
import { APP_AXIS } from "../plan/own-words.ts";

/** A plan's suite, without its title. */
export type SuiteSource = Pick<Plan["suite"], "module" | "source" | "own">;

/**
 * Returns what a cell was made from besides this project, as text: the app's source with its requests, a suite's module,
 * modules among its values. Cells of one name are the same only where it is equal. Null for a cell of this project alone.
 */
export function cellSource(
  { module, source, own }: SuiteSource,
  axes: readonly PlanAxis[],
  { point: { at } }: Cell,
): string | null {
  const modules = axes.flatMap((axis) => {
    const { file, sha256 } = factsOf(axis, at);
    return file === undefined || sha256 === undefined ? [] : [sha256];
  });
  const server = own?.servers.find(({ name }) => name === at[APP_AXIS]);
  const served = server === undefined ? null : [serverSource(server), own!.requests, own!.draws];
  if (served === null && module === null && modules.length === 0) return null;
  return JSON.stringify([served, module, source?.sha256 ?? null, modules]);
}

function serverSource(server: OwnServer): unknown {
  switch (server.kind) {
    case "app":
      return [server.sha256, server.listens?.args ?? null];
    case "command":
      return [server.command, server.files];
    case "target":
      return server.url;
  }
}
