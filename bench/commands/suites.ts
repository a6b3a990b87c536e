import { SUITES } from "../../suites/registry.ts";
import type { Axis, Suite } from "../../suites/suite.ts";
import { optionTable, RESERVED } from "../args/options.ts";
import { OWN_OPTIONS } from "../args/own-options.ts";
import { givenInOrder, nodeParser } from "../args/parser.ts";
import type { Args } from "../args/read-args.ts";
import { axisOptions, optionName, type SuiteOptions } from "../core/axis-options.ts";
import { usageError } from "../core/errors.ts";
import { APP_AXIS } from "../core/own/own-words.ts";
import { unknownName } from "../core/unknown-name.ts";
import { ownSuite } from "../own/own-suite.ts";
import { readDraft } from "../own/read-draft.ts";
import { type LoadedSuite, loadSuite, looksLikeFile } from "../host/load-suite.ts";

/** Commands whose first word may name a suite, or a file with one. */
const TAKES_SUITE = ["run", "duet", "contrast", "latency", "serve", "data", "list"];

/**
 * The suites a command line may mean: those of this project, and before them the one in a file it names, or the one its
 * own servers make. That one must be known before the line is read, because its axes are options.
 */
export async function suitesMeant(argv: readonly string[]): Promise<readonly LoadedSuite[]> {
  const own = SUITES.map((suite): LoadedSuite => ({ suite, module: null }));
  // With the axes' options, or a file given as a value would be taken for a word.
  const table = optionTable(own.map(optionsOf));
  const { words } = nodeParser.parse(argv, table);
  const [command, ...after] = words[0] === "help" ? words.slice(1) : words;
  const draft = ["run", "gate"].includes(command ?? "") ? readDraft(givenInOrder(argv, table)) : null;
  if (draft !== null) {
    const asked_first = { app: draft.servers[0]!.name, runtime: null };
    const spec = { ...draft, samples: [], asked_first, refused: [], listed_under: null };
    return [{ suite: ownSuite(spec, process.cwd()), module: null, own: draft }, ...own];
  }
  const file = TAKES_SUITE.includes(command ?? "") ? after.find(looksLikeFile) : undefined;
  return file === undefined ? own : [await loadSuite(file), ...own];
}

/** The options of a suite's axes. */
export const optionsOf = ({ suite, own }: LoadedSuite): SuiteOptions =>
  axisOptions(suite, own === undefined ? RESERVED : RESERVED.filter((name) => name !== APP_AXIS));

/**
 * The suite a command is about: the one its first word names, else the project's first. Throws a usage error for a name
 * nobody has and for an option the suite has no axis for.
 */
export function chosenSuite(
  args: Args,
  suites: readonly LoadedSuite[],
  word: string | null = args.words[0] ?? null,
): LoadedSuite {
  const own = suites.find((each) => each.own !== undefined)?.own;
  if (own !== undefined && word !== null) {
    throw usageError(`"${word}" and --${own.servers[0]!.kind} exclude each other`, "give one of them");
  }
  const chosen = word === null
    ? suites.find(({ module }) => module === null)!
    : suites.find(({ suite, module }) => module === null ? suite.name === word : looksLikeFile(word));
  if (chosen === undefined) throw unknownName("suite", word!, suites.map(({ suite }) => suite.name));
  const { suite } = chosen;
  const idle = chosen.own === undefined ? OWN_OPTIONS.find(({ name }) => args.has(name)) : undefined;
  if (idle !== undefined) {
    throw usageError(`--${idle.name} belongs to a server of your own`, `name one with --app, --command or --target`);
  }
  const known = suite.axes.map(({ name }) => optionName(name));
  for (const option of args.axes.keys()) {
    if (!known.includes(option)) {
      throw usageError(
        `suite "${suite.name}" has no axis for --${option}`,
        `its axes are ${known.map((name) => `--${name}`).join(", ")}`,
      );
    }
  }
  return chosen;
}

/** An axis by its own name or that of its option. */
export function axisNamed({ axes }: Suite, name: string): Axis | undefined {
  return axes.find((axis) => axis.name === name) ?? axes.find((axis) => optionName(axis.name) === name);
}
