import type { UserSpec } from "./user-spec.ts";
import type { Served } from "./server-schema.ts";

/** Returns the programs that served, in words: `node 20.19.2 (from PATH), not the pinned 26.10.0`. */
export const servedText = (served: readonly Served[]): string =>
  served.map(({ name, version, from, pinned }) => {
    const where = from === "path" ? " (from PATH)" : "";
    return `${name}${version === null ? "" : ` ${version}`}${where}${
      pinned === undefined ? "" : `, not the pinned ${pinned}`
    }`;
  }).join(" and ");

/** The runtime that values of a cell name and none of what served is; undefined if all is as named. */
export function runtimeNotServed(values: readonly (string | number)[], served: readonly Served[]): string | undefined {
  if (served.length === 0) return undefined;
  const named = values.map((value) => /^(node|deno|bun)(?:@|$)/.exec(String(value))?.[1]).find((name) => name);
  return named === undefined || served.some(({ name }) => name === named) ? undefined : named;
}

/** Returns the programs that serve a user's servers without a runtime axis, each once; undefined for any other suite. */
export function programsOfUser(spec: UserSpec | undefined): readonly Served[] | undefined {
  if (spec === undefined || spec.servers.some(({ kind }) => kind === "app")) return undefined;
  const served = spec.servers.flatMap((server) => server.kind === "command" ? server.served ?? [] : []);
  return [...new Map(served.map((one) => [JSON.stringify(one), one])).values()];
}
