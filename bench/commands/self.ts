import { existsSync } from "node:fs";
import { SUITES } from "../../suites/registry.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { withMachine } from "../process/scratch-folder.ts";
import { resolveRuntimes } from "../sources/resolve-runtimes.ts";
import { PINNED } from "../runtimes/runtimes.ts";
import { equip, hostsHere } from "../observe/equip.ts";
import { prepareFiles } from "../observe/prepare-files.ts";
import { harmlessJson } from "../report/align.ts";
import { measureCeiling } from "../engine/self/ceiling.ts";
import { measureEnsembles } from "../engine/self/ensembles.ts";
import { type Measurement, outcomeOf } from "../engine/self/measurements.ts";
import { measureRecovery } from "../engine/self/recover.ts";
import { probeFiles, type SelfSite } from "../engine/self/self-site.ts";
import { type Context, dataDirectory, runtimeCache } from "./context.ts";
import type { Args } from "../options/args.ts";
import { namesFrom } from "../options/from-args.ts";

/** Parts of `bench self` in lab/: they run for hours, break things on purpose, or prove a generator. */
export const LAB_PARTS = ["fuzz", "streams", "faults", "ontime"] as const;

/** See {@link LAB_PARTS}. */
type LabPartName = (typeof LAB_PARTS)[number];

/** A part with its options. */
interface LabPart {
  readonly measure: (site: SelfSite) => Promise<Measurement[]>;
  /** Its cases, a line each, for `--list`. */
  readonly lines?: () => string[];
}

/** The parts of lab/parts.ts: each reads its options and throws a usage error for a wrong one. */
export type Lab = Readonly<Record<LabPartName, (args: Args) => LabPart>>;

/** Only a checkout has the lab: packages for npm, Nix and containers do not. */
const LAB = new URL("../../lab/parts.ts", import.meta.url);

/**
 * Loads the lab, and nothing of it before. Throws a failure if it is not there.
 *
 * @param parts the requested parts
 */
export async function openLab(parts: readonly LabPartName[], file: URL = LAB): Promise<Lab> {
  if (!existsSync(file)) {
    const which = `${parts.join(", ")} of bench self`;
    throw failure(`${which}: in lab/ of Levelfield's source, not in this package`, "run it from a checkout");
  }
  const { PARTS } = await import(file.href) as { readonly PARTS: Lab };
  return PARTS;
}

/** Parts that show whether a machine can be trusted: measured unless parts are named. */
const OWN_PARTS = {
  ceiling: (site: SelfSite) => measureCeiling(site, SUITES),
  ensembles: measureEnsembles,
  recover: measureRecovery,
};
type PartName = keyof typeof OWN_PARTS | LabPartName;
const BY_DEFAULT = Object.keys(OWN_PARTS) as PartName[];
const NAMES: readonly PartName[] = [...BY_DEFAULT, ...LAB_PARTS];
const WITHOUT_FILES: readonly PartName[] = ["faults", "ontime", "streams"];
const PARTS_OF = {
  fault: ["faults"],
  quick: ["faults"],
  list: ["faults"],
  "fuzz-requests": ["fuzz", "streams"],
  "fuzz-app": ["fuzz", "streams"],
} as const satisfies Readonly<Record<string, readonly PartName[]>>;
const MOST_ROUNDS = 100;

/**
 * `bench self`: measures the promises of the bench, each a ratio. Exit 3 if one is missed by more than chance.
 */
export async function selfCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, outStyle, columns, print, doing } = context;
  const parts = namesFrom(args, "only", "part", NAMES) ?? BY_DEFAULT;
  const rounds = args.get("rounds")!;
  const measures = await measuresOf(args, parts);
  if (args.has("list")) {
    for (const { lines } of measures.values()) for (const line of lines?.() ?? []) print(`${line}\n`);
    return EXIT.done;
  }
  const suite = SUITES[0]!;
  const interrupts = listenForInterrupts();
  return await withMachine(interrupts, async () => {
    const runtimes = await resolveRuntimes(PINNED, runtimeCache(context));
    const equipment = await equip({ generator: "wrk", threads: null }, {}, runtimes, hostsHere());
    const directory = dataDirectory(args);
    const files = await prepareFiles({
      dataDirectory: directory,
      specs: parts.every((part) => WITHOUT_FILES.includes(part)) ? [] : probeFiles(suite),
      onStart: interrupts.onStart,
    });
    if (files.failed !== null) throw failure(files.failed, "bench all --prepare");
    const site: SelfSite = {
      equipment,
      suite,
      files,
      dataDirectory: directory,
      rounds,
      interrupts,
      say: doing,
    };
    const measurements: Measurement[] = [];
    for (const [part, { measure }] of measures) {
      if (interrupts.stopped()) break;
      site.say(part);
      const made = await measure(site);
      doing(null);
      measurements.push(...made);
      if (!args.has("json")) { for (const measurement of made) print(lineOf(measurement, outStyle, columns) + "\n"); }
    }
    if (args.has("json")) {
      const judged = measurements.map((measurement) => ({ ...measurement, outcome: outcomeOf(measurement) }));
      stdout.write(harmlessJson({ measurements: judged }) + "\n");
    } else print(unclearLine(measurements, rounds));
    if (interrupts.stopped()) return EXIT.interrupted;
    return measurements.some((measurement) => outcomeOf(measurement) === "missed") ? EXIT.invalid : EXIT.done;
  });
}

/** The function of each part, in this order. Throws a usage error for an option of a part that is not requested. */
async function measuresOf(args: Context["args"], parts: readonly PartName[]): Promise<Map<PartName, LabPart>> {
  for (const [option, of] of Object.entries(PARTS_OF) as [keyof typeof PARTS_OF, readonly PartName[]][]) {
    if (!args.has(option) || of.some((part) => parts.includes(part))) continue;
    throw usageError(`--${option} is of the ${of.join(" and ")}`, `bench self --only ${of[0]} --${option}`);
  }
  const isOfLab = (part: PartName): part is LabPartName => (LAB_PARTS as readonly string[]).includes(part);
  const ofLab = parts.filter(isOfLab);
  const lab = ofLab.length === 0 ? null : await openLab(ofLab);
  return new Map(parts.map((part) => [part, isOfLab(part) ? lab![part](args) : { measure: OWN_PARTS[part] }]));
}

/** A line on figures that miss their goals by no more than chance or other processes; empty without any. */
function unclearLine(measurements: readonly Measurement[], rounds: number): string {
  const unclear = measurements.filter((measurement) => outcomeOf(measurement) === "unclear").length;
  if (unclear === 0) return "";
  return `? ${counted(unclear, "figure")} beyond the goal by no more than chance or other processes do in ${
    counted(rounds, "round")
  }\n` +
    `  try: bench self --rounds ${
      Math.min(MOST_ROUNDS, 4 * rounds)
    } on an idle machine, which halves what chance does\n`;
}

/** Columns from which a name and its figures share a line. */
const WIDE = 100;

function lineOf(measurement: Measurement, style: Context["outStyle"], columns: number): string {
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
