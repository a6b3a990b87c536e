/**
 * Measures the bench itself: `bench self` of a checkout starts it. Each promise is a ratio; exit 3 if one is missed by
 * more than chance.
 *
 *     bench self [--only PART,…] [--rounds N] [--seed N] [--data DIR] [--json]
 *
 * Parts: `ceiling`, `ensembles` and `recover` show whether a machine can be trusted, and are measured unless parts are
 * named. `fuzz`, `streams`, `faults` and `ontime` run for hours, break things on purpose, or prove a generator.
 * `fuzz` and `streams` take `--fuzz-requests N` and `--fuzz-app WORD,…`; `faults` takes `--fault NAME,…`, `--quick`
 * (those that take seconds) and `--list` (prints the faults, injects none).
 */
import { join } from "node:path";
import { SUITES } from "../suites/registry.ts";
import { BenchError, EXIT, type ExitCode, failure, usageError } from "../bench/basics/errors.ts";
import { counted } from "../bench/basics/units.ts";
import { listenForInterrupts } from "../bench/machine/interrupts.ts";
import { withMachine } from "../bench/process/scratch-folder.ts";
import { resolveRuntimes } from "../bench/sources/resolve-runtimes.ts";
import { dataFolder } from "../bench/runtimes/project-folders.ts";
import { PINNED } from "../bench/runtimes/runtimes.ts";
import { equip, hostsHere } from "../bench/observe/equip.ts";
import { prepareFiles } from "../bench/observe/prepare-files.ts";
import { harmlessJson } from "../bench/report/align.ts";
import { columnsOf } from "../bench/report/fit-text.ts";
import { type Style, styleFor } from "../bench/report/style.ts";
import { overwriteLine, writeData, writeSentence, writeText } from "../bench/report/writer.ts";
import { type LabPart, PARTS, WITHOUT_FILES } from "./parts.ts";
import { readSelf } from "./self/options.ts";
import { type Measurement, outcomeOf } from "./self/measurements.ts";
import { probeFiles, type SelfSite } from "./self/self-site.ts";

const MOST_ROUNDS = 100;

/** Measures what the words ask for and prints it. Returns the exit code. Throws for what cannot be meant or prepared. */
async function self(words: readonly string[]): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  const options = readSelf(words);
  const { rounds, json } = options;
  const columns = columnsOf(stdout, env), style = styleFor(stdout.isTTY === true, env);
  const print = (text: string) => writeText(stdout, text, columns);
  const say = (text: string) => writeSentence(stderr, text, columnsOf(stderr, env));
  const doing = (text: string | null): void => {
    if (stderr.isTTY) overwriteLine(stderr, text ?? "");
    else if (text !== null) say(text);
  };
  const parts = options.parts.map((name): [string, LabPart] => [name, PARTS[name](options)]);
  if (options.list) {
    for (const [, { lines }] of parts) for (const line of lines?.() ?? []) print(`${line}\n`);
    return EXIT.done;
  }
  const suite = SUITES[0]!;
  const interrupts = listenForInterrupts();
  return await withMachine(interrupts, async () => {
    const dataDirectory = options.data ?? dataFolder();
    const cache = { folder: join(dataDirectory, "runtimes"), missing: "fetch", say } as const;
    const runtimes = await resolveRuntimes(PINNED, cache);
    const equipment = await equip({ generator: "wrk", threads: null }, {}, runtimes, hostsHere());
    const files = await prepareFiles({
      dataDirectory,
      specs: options.parts.every((part) => WITHOUT_FILES.includes(part)) ? [] : probeFiles(suite),
      onStart: interrupts.onStart,
    });
    if (files.failed !== null) throw failure(files.failed, "bench all --prepare");
    const site: SelfSite = { equipment, suite, files, dataDirectory, rounds, interrupts, say: doing };
    const measurements: Measurement[] = [];
    for (const [name, { measure }] of parts) {
      if (interrupts.stopped()) break;
      site.say(name);
      const made = await measure(site);
      doing(null);
      measurements.push(...made);
      if (!json) { for (const measurement of made) print(lineOf(measurement, style, columns) + "\n"); }
    }
    if (json) {
      const judged = measurements.map((measurement) => ({ ...measurement, outcome: outcomeOf(measurement) }));
      writeData(stdout, harmlessJson({ measurements: judged }) + "\n");
    } else print(unclearLine(measurements, rounds));
    if (interrupts.stopped()) return EXIT.interrupted;
    return measurements.some((measurement) => outcomeOf(measurement) === "missed") ? EXIT.invalid : EXIT.done;
  });
}

/** A line on figures that miss their goals by no more than chance or other processes; empty without any. */
function unclearLine(measurements: readonly Measurement[], rounds: number): string {
  const unclear = measurements.filter((measurement) => outcomeOf(measurement) === "unclear").length;
  if (unclear === 0) return "";
  const [figures, most] = [counted(unclear, "figure"), Math.min(MOST_ROUNDS, 4 * rounds)];
  return `? ${figures} beyond the goal by no more than chance or other processes do in ${counted(rounds, "round")}\n` +
    `  try: bench self --rounds ${most} on an idle machine, which halves what chance does\n`;
}

/** Columns from which a name and its figures share a line. */
const WIDE = 100;

function lineOf(measurement: Measurement, style: Style, columns: number): string {
  const { name, ratio, goal, note } = measurement;
  const { least, most } = goal ?? {};
  const wanted = least !== undefined && most !== undefined
    ? `${least} to ${most}`
    : least !== undefined
    ? `at least ${least}`
    : most !== undefined
    ? `at most ${most}`
    : "";
  const marks = { reached: style.green("✓"), unclear: style.yellow("?"), missed: style.red("✗") };
  const mark = marks[outcomeOf(measurement)];
  const value = ratio === null ? "–" : ratio.toPrecision(3);
  const figures = `${value.padStart(6)}  ${wanted.padEnd(14)} ${style.dim(note)}`;
  return columns < WIDE ? `${mark} ${name}\n    ${figures}` : `${mark} ${name.padEnd(56)} ${figures}`;
}

if (import.meta.main) {
  try {
    process.exit(await self(process.argv.slice(2)));
  } catch (error) {
    const { message, hint, exit } = error instanceof BenchError ? error : usageError(String(error));
    writeSentence(process.stderr, `error: ${message}`, columnsOf(process.stderr, process.env));
    if (hint !== undefined) writeSentence(process.stderr, `  try: ${hint}`, columnsOf(process.stderr, process.env));
    process.exit(exit);
  }
}
