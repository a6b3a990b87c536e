import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { configText, type FirstConfig } from "../options/config-text.ts";
import { CONFIG_FILES, findConfig } from "../options/config.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { lookAtFolder, type Proposal, startedBy } from "../apps/look-at-folder.ts";
import { draftOf, userItem } from "../options/read-draft.ts";
import type { UserOption } from "../options/user-options.ts";
import { COMMON_PATHS, type TriedOut, tryOut } from "../apps/try-out.ts";
import { resolveRuntimes } from "../sources/resolve-runtimes.ts";
import { inspectRuntime, PINNED, type RuntimeBinary } from "../runtimes/runtimes.ts";
import { printable } from "../report/align.ts";
import { type Context, runtimeCache } from "./context.ts";

/**
 * `bench init`: looks at the current folder, starts what it finds there once, and writes a first config. A dry run starts
 * nothing: it names what would be started, and prints a config made from the files alone.
 */
export async function initCommand(context: Context): Promise<ExitCode> {
  const { args, say } = context;
  const folder = process.cwd();
  const there = findConfig(folder);
  if (there !== undefined && !args.has("dry-run")) {
    throw usageError(
      `"${CONFIG_FILES.find((name) => there.endsWith(name))}" is there already, and is left as it is`,
      "bench init --dry-run prints what would be written; bench run uses the one that is there",
    );
  }
  const { name: named, frameworks, candidates, unbuilt } = lookAtFolder(folder);
  if (frameworks.length > 0) say(`its packages have ${frameworks.join(", ")}`);
  if (unbuilt !== null) say(printable(`"${unbuilt.file}" is not there${unbuilt.hasScript ? ": npm run build" : ""}`));
  const [first] = candidates;
  if (first !== undefined && args.has("dry-run")) {
    for (const candidate of candidates) say(visibleLine(`would start ${startedBy(candidate)}: ${candidate.why}`));
    say(
      "Nothing was started: this config is made from the files alone, and bench init sends requests to what it starts",
    );
    const nothingFound = { runtimes: null, requests: [{ path: "/" }], others: [], ignore: [] };
    context.give(configText({ ...nothingFound, server: serverOf(first, named, null) }));
    return EXIT.done;
  }
  const runtimes = candidates.length === 0 ? [] : await runtimesHere(context);
  for (const candidate of candidates) {
    say(printable(candidate.why));
    const { tried, port } = await tryCandidate(candidate, named, runtimes, folder);
    for (const line of tried.lines) say(`  ${printable(line)}`);
    if (tried.why !== null) continue;
    sayFound(context, tried);
    const part = candidate.kind !== "command" && tried.runtimes.length < runtimes.length;
    const { requests, others, ignore } = tried;
    const text = configText({
      ...{ server: serverOf(candidate, named, port), requests, others, ignore },
      runtimes: part ? tried.runtimes : null,
    });
    writeFileSync(join(folder, CONFIG_FILES[0]), text, { flag: "wx" });
    const next = requests.length === 0 ? "Name a request in it" : "Look at its requests";
    say(`${CONFIG_FILES[0]} is written, and nothing else. ${next}, then: bench run --dry-run, and bench run`);
    return EXIT.done;
  }
  throw usageError(
    candidates.length === 0
      ? "there is no app here: no module with a default export, no script that starts a server, none that listens"
      : "nothing here starts as it is",
    unbuilt?.hasScript
      ? "npm run build, then bench init"
      : 'bench run --app ./FILE, --program ./FILE, --command "WORDS" or --target URL measures what you name; see docs/configuration.md',
  );
}

/** Tries a candidate; a program that listens on another port than PORT is tried once more with that. */
async function tryCandidate(
  candidate: Proposal,
  named: string | null,
  runtimes: readonly RuntimeBinary[],
  folder: string,
): Promise<{ readonly tried: TriedOut; readonly port: number | null }> {
  const item = (option: UserOption, value: unknown) =>
    userItem(option, value, { from: "library", key: option }, folder);
  const server = item(candidate.kind, { [nameOf(named, candidate)]: wordsOf(candidate) });
  const on = candidate.kind === "command" ? [] : runtimes;
  const tried = await tryOut(draftOf([server]), on, folder);
  if (candidate.kind !== "command" || tried.otherPort === null) return { tried, port: null };
  const port = tried.otherPort;
  return { tried: await tryOut(draftOf([server, item("port", port)]), on, folder), port };
}

const wordsOf = (candidate: Proposal) => candidate.kind === "app" ? `./${candidate.file}` : candidate.words;
const nameOf = (named: string | null, { kind }: Proposal) => named ?? (kind === "app" ? "app" : "server");

function serverOf(candidate: Proposal, named: string | null, port: number | null): FirstConfig["server"] {
  const name = nameOf(named, candidate), words = wordsOf(candidate);
  return candidate.kind === "command"
    ? { kind: "command", name, words, port }
    : { kind: candidate.kind, name, file: words };
}

function sayFound({ say }: Context, { routes, status, requests, others }: TriedOut): void {
  const sent = requests.map(({ path }) => `GET ${printable(path)}`);
  if (routes !== null) say(`it has ${counted(routes, "route")}; answering well with GET: ${sent.length}`);
  if (sent.length > 0) say(`requests: ${sent.join(", ")}`);
  else say(`no path was found that answers well: GET / has status ${status ?? "none"}`);
  if (routes === null) {
    say(
      `only a Hono app lists its routes, so ${
        COMMON_PATHS.join(", ")
      } were tried. Routes of anything else (decorators, files, ` +
        "handlers, Bun's routes) were not seen: add them to the config",
    );
  }
  if (others.length > 0) {
    say(`to be filled in: ${others.map(({ method, path }) => `${method} ${printable(path)}`).join(", ")}`);
  }
}

async function runtimesHere(context: Context): Promise<readonly RuntimeBinary[]> {
  const found = await Promise.allSettled(RUNTIME_NAMES.map((name) => inspectRuntime(name)));
  const here = found.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  return here.length > 0 ? here : await resolveRuntimes(PINNED, runtimeCache(context));
}
