/** Reads the arguments of `bin/test`. */
import { parseArgs } from "@std/cli/cli/parse_args.js";
import type { RuntimeName } from "../../servers/runtime.ts";

/** Tests to run: those of a commit, also the long ones, those a change can touch, or some files on some runtimes. */
export type Wanted =
  | { readonly kind: "commit" | "all" }
  | { readonly kind: "changed"; readonly base: string }
  | FilesWanted;

/** Test files, the runtimes to run them on, and what names of tests have to hold. */
export interface FilesWanted {
  readonly kind: "files";
  readonly files: readonly string[];
  readonly on: readonly RuntimeName[];
  readonly name: string | undefined;
}

const USAGE = `  try: bin/test                                    all that has to hold for a commit
       bin/test --all                              the long rest, too
       bin/test --changed [--base REVISION]        what differs from the commit, or from a revision
       bin/test FILE… [--name TEXT] [--on node|deno|bun|all]
`;

/** Reads arguments; where they are wrong, gives what to say of them. */
export function readArguments(args: readonly string[], runtimes: readonly RuntimeName[]): Wanted | string {
  const refused = (why: string) => `error: ${why}\n${USAGE}`;
  const unknown: string[] = [];
  const { _: words, all, changed, base, name, on } = parseArgs([...args], {
    boolean: ["all", "changed"],
    string: ["base", "name", "on", "_"],
    unknown: (arg, key) => key === undefined || unknown.push(arg) === 0,
  });
  const files = words.map(String);
  if (unknown.length > 0) return refused(`unknown option '${unknown[0]}'`);
  if ([base, name, on].includes("")) return refused("--base, --name and --on need a value");
  if ([all, changed, files.length > 0].filter(Boolean).length > 1) {
    return refused("only one of --all, --changed and FILE");
  }
  if (base !== undefined && !changed) return refused("--base goes with --changed");
  if ((name ?? on) !== undefined && files.length === 0) return refused("--name and --on go with FILE");
  const wrong = files.find((file) => !file.endsWith(".test.ts"));
  if (wrong !== undefined) return refused(`"${wrong}" is no test file, which end in ".test.ts"`);
  if (on !== undefined && on !== "all" && !runtimes.some((runtime) => runtime === on)) {
    return refused(`--on "${on}" is none of ${runtimes.join(", ")} and all`);
  }
  if (all) return { kind: "all" };
  if (changed) return { kind: "changed", base: base ?? "HEAD" };
  if (files.length === 0) return { kind: "commit" };
  return { kind: "files", files, name, on: on === "all" ? runtimes : [(on ?? "node") as RuntimeName] };
}
