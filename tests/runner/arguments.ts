/** Reads the arguments of `bin/test`. */
import { parseArgs } from "node:util";
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

const [SWITCH, TEXT] = [{ type: "boolean" }, { type: "string" }] as const;
const OPTIONS = { all: SWITCH, changed: SWITCH, base: TEXT, name: TEXT, on: TEXT };

function parsedArguments(args: readonly string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return "--base, --name and --on need a value";
    return message;
  }
}

/** Reads arguments; where they are wrong, gives what to say of them. */
export function readArguments(args: readonly string[], runtimes: readonly RuntimeName[]): Wanted | string {
  const refused = (why: string) => `error: ${why}\n${USAGE}`;
  const parsed = parsedArguments(args);
  if (typeof parsed === "string") return refused(parsed);
  const { values: { all, changed, base, name, on }, positionals: files } = parsed;
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
