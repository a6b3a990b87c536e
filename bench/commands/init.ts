import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { configText } from "../input/config-text.ts";
import { CONFIG_FILES, findConfig } from "../input/find-config.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { lookAtFolder, type Proposal } from "../input/own/look-at-folder.ts";
import { draftOf, ownItem } from "../input/own/read-draft.ts";
import type { OwnName } from "../input/own/own-types.ts";
import { type TriedOut, tryOut } from "../input/own/try-out.ts";
import { resolveRuntimes, type RuntimeBinary } from "../host/runtimes.ts";
import { printable } from "../report/align.ts";
import { type Context, runtimesDirectory } from "./context.ts";

/** `bench init`: looks at the current folder, starts what it finds there once, and writes a first config. */
export async function initCommand(context: Context): Promise<ExitCode> {
  const { args, say, stdout } = context;
  const folder = process.cwd();
  const there = findConfig(folder);
  if (there !== undefined && !args.has("dry-run")) {
    throw usageError(
      `"${CONFIG_FILES.find((name) => there.endsWith(name))}" is there already, and is left as it is`,
      "bench init --dry-run prints what would be written; bench run uses the one that is there",
    );
  }
  const { name, frameworks, candidates } = lookAtFolder(folder);
  if (frameworks.length > 0) say(`its packages have ${frameworks.join(", ")}`);
  const runtimes = await runtimesHere(runtimesDirectory(args));
  for (const candidate of candidates) {
    say(printable(candidate.why));
    const found = await tried(candidate, name, runtimes, folder);
    for (const line of found.told.lines) say(`  ${printable(line)}`);
    if (found.told.why !== null) continue;
    const text = textOf(candidate, found, runtimes.length);
    tell(context, found.told);
    if (args.has("dry-run")) stdout.write(text);
    else {
      // Never over one that came to be meanwhile.
      writeFileSync(join(folder, CONFIG_FILES[0]), text, { flag: "wx" });
      say(
        `${
          CONFIG_FILES[0]
        } is written, and nothing else. Look at its requests, then: bench run --dry-run, and bench run`,
      );
    }
    return EXIT.done;
  }
  throw usageError(
    candidates.length === 0
      ? "there is no app here: no module with a default export, no script that starts a server, none that listens"
      : "nothing here starts as it is",
    'bench run --app ./FILE, --command "WORDS" or --target URL measures what you name; see docs/configuration.md',
  );
}

interface Tried {
  readonly told: TriedOut;
  readonly name: string;
  /** The port a program always listens on; null where it takes the one it is given. */
  readonly port: number | null;
}

/** Tries a candidate; a program that listens on a port of its own is tried once more with that. */
async function tried(
  candidate: Proposal,
  named: string | null,
  runtimes: readonly RuntimeBinary[],
  folder: string,
): Promise<Tried> {
  const item = (option: OwnName, value: unknown) => ownItem(option, value, { from: "library", key: option }, folder);
  const name = named ?? (candidate.kind === "app" ? "app" : "server");
  if (candidate.kind === "app") {
    const told = await tryOut(draftOf([item("app", { [name]: `./${candidate.file}` })]), runtimes, folder);
    return { told, name, port: null };
  }
  const command = item("command", { [name]: candidate.words });
  const told = await tryOut(draftOf([command]), [], folder);
  const port = /listens on port (\d+) instead/.exec(told.why ?? "")?.[1];
  if (port === undefined) return { told, name, port: null };
  const again = await tryOut(draftOf([command, item("port", Number(port))]), [], folder);
  return { told: again, name, port: Number(port) };
}

function textOf(candidate: Proposal, { told, name, port }: Tried, runtimes: number): string {
  return configText({
    server: candidate.kind === "app"
      ? { kind: "app", name, file: `./${candidate.file}` }
      : { kind: "command", name, words: candidate.words, port },
    runtimes: candidate.kind === "app" && told.runtimes.length < runtimes ? told.runtimes : null,
    paths: told.paths,
    expect: told.paths.length === 0 ? told.status : null,
  });
}

function tell({ say }: Context, { paths, routes, status }: TriedOut): void {
  if (routes !== null) say(`it lists ${counted(routes, "route")} for GET; ${paths.length} of them answer alike twice`);
  if (paths.length > 0) say(`requests: ${paths.map((path) => `GET ${printable(path)}`).join(", ")}`);
  else say(`no path was found that answers well: GET / has status ${status ?? "none"}`);
}

/** The runtimes that are here. */
async function runtimesHere(cache: string): Promise<RuntimeBinary[]> {
  const found = await Promise.all(RUNTIME_NAMES.map(async (name) => {
    try {
      return await resolveRuntimes([{ name, source: { kind: "pinned" } }], cache);
    } catch {
      return [];
    }
  }));
  return found.flat();
}
