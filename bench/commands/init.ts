import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { configText } from "../options/config-text.ts";
import { CONFIG_FILES, findConfig } from "../options/find-config.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { lookAtFolder, type Proposal } from "../apps/look-at-folder.ts";
import { requestLines, sourcesOf } from "../apps/first-requests.ts";
import { type Route, routesInSource } from "../apps/routes-in-source.ts";
import { draftOf, ownItem } from "../options/read-draft.ts";
import type { OwnName } from "../options/own-types.ts";
import { routesToAsk, type TriedOut, tryOut } from "../apps/try-out.ts";
import { resolveRuntimes } from "../sources/resolve-runtimes.ts";
import { inspectRuntime, PINNED, type RuntimeBinary } from "../runtimes/runtimes.ts";
import { printable, printableLines } from "../report/align.ts";
import { type Context, runtimeCache } from "./context.ts";

/** The file of requests that is written beside a first config. */
const REQUESTS_FILE = "levelfield.requests.jsonl";

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
  const { name, frameworks, candidates, unbuilt } = lookAtFolder(folder);
  if (frameworks.length > 0) say(`its packages have ${frameworks.join(", ")}`);
  if (unbuilt !== null) say(printable(unbuilt));
  const inSource = routesInSource(sourcesOf(folder));
  const [first] = candidates;
  if (first !== undefined && args.has("dry-run")) {
    for (const candidate of candidates) say(visibleLine(`would start ${startedText(candidate)}: ${candidate.why}`));
    say("Nothing was started: what follows is made from the files alone, and bench init asks what it starts");
    foretell(context, first, name, inSource);
    return EXIT.done;
  }
  const runtimes = candidates.length === 0 ? [] : await runtimesHere(context);
  for (const candidate of candidates) {
    say(printable(candidate.why));
    const found = await tried(candidate, name, runtimes, folder, inSource);
    for (const line of found.told.lines) say(`  ${printable(line)}`);
    if (found.told.why !== null) continue;
    tell(context, found.told);
    const { text, requests, lines } = filesOf(candidate, found, runtimes.length, folder);
    if (requests !== null) writeFileSync(join(folder, requests), lines, { flag: "wx" });
    // Never over one that came to be meanwhile.
    writeFileSync(join(folder, CONFIG_FILES[0]), text, { flag: "wx" });
    const written = requests === null ? `${CONFIG_FILES[0]} is` : `${CONFIG_FILES[0]} and ${requests} are`;
    say(`${written} written, and nothing else. Look at its requests, then: bench run --dry-run, and bench run`);
    return EXIT.done;
  }
  throw usageError(
    candidates.length === 0
      ? "there is no app here: no module with a default export, no script that starts a server, none that listens"
      : "nothing here starts as it is",
    unbuilt?.includes("npm run build")
      ? "npm run build, then bench init"
      : 'bench run --app ./FILE, --program ./FILE, --command "WORDS" or --target URL measures what you name; see docs/configuration.md',
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
  inSource: readonly Route[],
): Promise<Tried> {
  const item = (option: OwnName, value: unknown) => ownItem(option, value, { from: "library", key: option }, folder);
  const name = nameOf(named, candidate);
  if (candidate.kind !== "command") {
    const what = candidate.kind === "app" ? `./${candidate.file}` : candidate.words;
    const told = await tryOut(draftOf([item(candidate.kind, { [name]: what })]), runtimes, folder, inSource);
    return { told, name, port: null };
  }
  const command = item("command", { [name]: candidate.words });
  const told = await tryOut(draftOf([command]), [], folder, inSource);
  const { otherPort: port } = told;
  if (port === null) return { told, name, port };
  const again = await tryOut(draftOf([command, item("port", port)]), [], folder, inSource);
  return { told: again, name, port };
}

/** Requests that answer well, or differ each time in their bodies alone. */
const sentOf = ({ asked }: TriedOut) => asked.filter(({ why }) => why === null);

/** The files that are written for a candidate: `requests` is the name of the second, null without one. */
function filesOf(candidate: Proposal, found: Tried, runtimes: number, folder: string) {
  const { told } = found;
  // A file of requests that is there already has what people put into it.
  const hasRequests = told.routes !== null && sentOf(told).length + told.others.length > 0;
  const requests = hasRequests && !existsSync(join(folder, REQUESTS_FILE)) ? REQUESTS_FILE : null;
  const text = textOf(candidate, found, runtimes, requests);
  return { text, requests, lines: requestLines(told.asked, told.others) };
}

const startedText = (candidate: Proposal) =>
  candidate.kind === "app" ? `the app ./${candidate.file}` : `the ${candidate.kind} ${candidate.words}`;

const nameOf = (named: string | null, { kind }: Proposal) => named ?? (kind === "app" ? "app" : "server");

/** Prints the files of a candidate as they would be if each route in the source answered well. */
function foretell({ stdout }: Context, first: Proposal, named: string | null, inSource: readonly Route[]): void {
  const told: TriedOut = {
    lines: [],
    runtimes: [],
    why: null,
    otherPort: null,
    status: null,
    ignore: [],
    ...routesToAsk(inSource),
  };
  const found = { told, name: nameOf(named, first), port: null };
  const { text, requests, lines } = filesOf(first, found, 0, process.cwd());
  stdout.write(printableLines(requests === null ? text : `${text}\n// ${requests}\n${lines}`));
}

function textOf(
  candidate: Proposal,
  { told, name, port }: Tried,
  runtimes: number,
  requests: string | null,
): string {
  return configText({
    server: candidate.kind === "app"
      ? { kind: "app", name, file: `./${candidate.file}` }
      : candidate.kind === "program"
      ? { kind: "program", name, file: candidate.words }
      : { kind: "command", name, words: candidate.words, port },
    runtimes: candidate.kind !== "command" && told.runtimes.length < runtimes ? told.runtimes : null,
    paths: sentOf(told).filter(({ expect }) => expect === undefined).map(({ path }) => path),
    requests: requests === null ? null : `./${requests}`,
    ignore: told.ignore,
    expect: sentOf(told).length === 0 ? told.status : null,
  });
}

function tell({ say }: Context, told: TriedOut): void {
  const { routes, status, others } = told;
  const sent = sentOf(told).map(({ path }) => `GET ${printable(path)}`);
  if (routes !== null) say(`it has ${counted(routes, "route")}; answering well with GET: ${sent.length}`);
  if (sent.length > 0) say(`requests: ${sent.join(", ")}`);
  else say(`no path was found that answers well: GET / has status ${status ?? "none"}`);
  if (others.length > 0) {
    say(`to be filled in: ${others.map(({ method, path }) => `${method} ${printable(path)}`).join(", ")}`);
  }
}

/** The runtimes that are here, or those that are fetched where there is none. */
async function runtimesHere(context: Context): Promise<readonly RuntimeBinary[]> {
  const found = await Promise.allSettled(RUNTIME_NAMES.map((name) => inspectRuntime(name)));
  const here = found.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  return here.length > 0 ? here : await resolveRuntimes(PINNED, runtimeCache(context));
}
