import { shellQuoted } from "../basics/shell.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";

/** Options of a gate that say where results go, or what follows from them. */
const OF_RESULTS = "base,seed,output,json,markdown,history,results,data,strict,confirm,no-confirm,no-explain".split(
  ",",
);

/** The command that repeats a gate, without secrets: options in their order, the base by its commit, and the seed. */
export function gateCommandText(
  given: readonly (readonly [name: string, value: string | true])[],
  { base_commit }: { readonly base_commit: string },
  seed: number,
): string {
  const words = given.filter(([name]) => !OF_RESULTS.includes(name)).map(([name, value]) =>
    value === true ? `--${name}` : shellQuoted(`--${name}=${withoutSecrets(value)}`)
  );
  return ["bench gate", ...words, `--base=${base_commit.slice(0, 12)}`, `--seed=${seed}`].join(" ");
}
