import type { Observation } from "../record/observation-record.ts";

/** Services that ran in some observations, by name: every version there was, and the settings in force. */
export function servicesIn(
  lines: readonly Pick<Observation, "members">[],
): Record<string, Record<string, string | number>> {
  const all = lines.flatMap(({ members }) => members.flatMap(({ server }) => server?.services ?? []));
  return Object.fromEntries(
    [...Map.groupBy(all, ({ name }) => name)].map(([name, own]) => [name, {
      ...own[0]!.facts,
      version: [...new Set(own.map(({ version }) => version))].join(" and "),
    }]),
  );
}
