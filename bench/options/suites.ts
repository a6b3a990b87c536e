import { USER_SUITE } from "../record/cell.ts";
import type { Args } from "./args.ts";
import type { Command } from "./commands.ts";
import { isOfAxis } from "./option-table.ts";
import { isUserOption, USER_OPTIONS } from "./user-options.ts";
import { type CommandLine, commandOfLine, lineAfterHelp } from "./read-line.ts";
import type { ReadConfig } from "./config.ts";
import { optionName } from "../plan/plan-parts.ts";
import { usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { looksLikeFile } from "../files/plain-file.ts";

/** Commands whose first word may name a suite, or a file with one. */
const TAKES_SUITE = ["all", "run", "run --pair", "explain", "bisect", "latency", "serve", "list"];

/**
 * The suites a command line may mean. First the one in a file it names, or the one of the user's servers; then those of
 * a config and of this project. These must be known before the line is read, because their axes are options. What only
 * configs, files and user's servers need is loaded where they are meant.
 */
export async function candidateSuites(
  whole: CommandLine,
  read: ReadConfig | null = null,
): Promise<readonly LoadedSuite[]> {
  if (read === null && needsNoSuite(whole)) return [];
  const { SUITES } = await import("../../suites/registry.ts");
  const ours = SUITES.map((suite): LoadedSuite => ({ suite, module: null }));
  const line = lineAfterHelp(whole);
  const { words: [, ...after], given } = line;
  const command = commandOfLine(line);
  const aboutSuites = command !== undefined && isAboutSuites(command);
  const all = read === null || !aboutSuites ? ours : [
    ...await (await import("./config-suites.ts")).suitesOfConfig(read, ours.map(({ suite }) => suite.name)),
    ...ours,
  ];
  if (command === undefined) return all;
  const mayBeUser = read !== null || given.some(([name]) => isUserOption(name));
  const user = !mayBeUser ? null : (await import("./user-servers.ts")).userSuiteMeant(command, given, read, {
    again: given.some(([option]) => option === "plan" || option === "resume"),
    named: after.some((word) => looksLikeFile(word)) || all.some(({ suite }) => suite.name === after[0]),
  });
  const file = user === null && TAKES_SUITE.includes(command.name) ? after.find(looksLikeFile) : undefined;
  const first = user ?? (file === undefined ? null : await (await import("../sources/load-suite.ts")).loadSuite(file));
  const meant = first === null ? all : [first, ...all];
  return read === null || !aboutSuites ? meant : (await import("./config-suites.ts")).withPresets(meant, read);
}

const isAboutSuites = ({ name, axes }: Command) => axes !== null || TAKES_SUITE.includes(name);

/** True if a command line is about no suite: then none is loaded. One with an unknown option may be about any. */
function needsNoSuite(line: CommandLine): boolean {
  const { words: [word, ...after], given } = line;
  const general = given.every(([option]) => !isOfAxis(option) || option === "h");
  if (word === undefined || word === "help") return general && (after.length === 0 || after[0] === "more");
  const command = commandOfLine(line);
  const help = given.some(([option]) => option === "help" || option === "help-all");
  return general && !help && command !== undefined && !isAboutSuites(command);
}

/** True if a word of the command line names a suite: by its file, or by its name. */
export const isNamed = ({ suite, module, named }: LoadedSuite, word: string | undefined): boolean =>
  word !== undefined && (module === null || named === true ? suite.name === word : looksLikeFile(word));

/**
 * The suite of a command: the one its first word names, else that of the user's servers, else the project's
 * first that has all axes given by hand. Throws a usage error for a name nobody has and for an option the suite has no axis for.
 */
export function chosenSuite(
  args: Args,
  suites: readonly LoadedSuite[],
  word: string | null = args.words[0] ?? null,
): LoadedSuite {
  const ofUser = suites.find((each) => each.draft !== undefined);
  if (ofUser !== undefined && ofUser.named === undefined && word !== null && word !== USER_SUITE) {
    throw usageError(`"${word}" and --${ofUser.draft!.servers[0]!.kind} exclude each other`, "give one of them");
  }
  const ours = suites.filter(({ module }) => module === null);
  const byHand = args.axes("flag").map(([option]) => option);
  const has = ({ suite: { axes } }: LoadedSuite, option: string) =>
    axes.some(({ name }) => optionName(name) === option);
  const isByHand = ofUser !== undefined && args.has(ofUser.draft!.servers[0]!.kind);
  const chosen = word === null && isByHand
    ? ofUser
    : word === null
    ? ours.find((each) => byHand.every((option) => has(each, option))) ?? ours[0]
    : suites.find((each) => isNamed(each, word));
  if (chosen === undefined) throw unknownName("suite", word!, suites.map(({ suite }) => suite.name));
  const { suite } = chosen;
  const idle = chosen.draft === undefined ? USER_OPTIONS.find((name) => name !== "port" && args.has(name)) : undefined;
  if (idle !== undefined) {
    throw usageError(`--${idle} belongs to a server of your own`, `name one with --app, --command or --target`);
  }
  const known = suite.axes.map(({ name }) => optionName(name));
  // Values of a config apply to suites that have the axis.
  for (const option of byHand) {
    if (!known.includes(option)) {
      throw usageError(
        `suite "${suite.name}" has no axis for --${option}`,
        `its axes are ${known.map((name) => `--${name}`).join(", ")}`,
      );
    }
  }
  return chosen;
}
