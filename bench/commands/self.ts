import { SUITES } from "../../suites/registry.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import { withMachine } from "../host/with-machine.ts";
import { inspectRuntime } from "../host/runtimes.ts";
import type { HostsWish } from "../observe/connect-hosts.ts";
import { equip, hostsHere } from "../observe/equip.ts";
import { prepareFiles } from "../observe/prepare-files.ts";
import { harmlessJson } from "../report/harmless.ts";
import { measureAgents } from "../self/agents.ts";
import { measureBoard } from "../self/board.ts";
import { measureByHand } from "../self/by-hand.ts";
import { measureCeiling } from "../self/ceiling.ts";
import { measureDisturbed } from "../self/disturbed.ts";
import { measureEnsembles } from "../self/ensembles.ts";
import { FUZZ_REQUESTS, FUZZ_SEED, type FuzzWish, measureFuzz } from "../self/fuzz/fuzz.ts";
import { measureGate } from "../self/gate.ts";
import { measureGenerators } from "../self/generators.ts";
import { measureKilled } from "../self/killed.ts";
import { type Measurement, outcomeOf } from "../self/measurements.ts";
import { chosenFaults, type FaultChoice, measureFaults } from "../self/faults/measure-faults.ts";
import { GROUPS_AND_NAMES, linesOf } from "../self/faults/catalogue.ts";
import { measurePower } from "../self/power.ts";
import { measureRecovery } from "../self/recover.ts";
import { probeFiles, type SelfSite } from "../self/self-site.ts";
import { measureWarm } from "../self/warm.ts";
import { type Context, dataDirectory } from "./context.ts";
import { HOST_OPTIONS, hostsWishFrom, namesFrom, numberFrom } from "../input/option-values.ts";

/** So many requests to each server may be asked for. */
const [LEAST_FUZZED, MOST_FUZZED] = [100, 10_000_000];

/** What of the parts may be chosen. */
interface Wishes {
  readonly fuzz: FuzzWish;
  readonly faults: FaultChoice;
  /** The ways to the agents. */
  readonly hosts: HostsWish;
}

const PARTS = {
  ceiling: (site: SelfSite) => measureCeiling(site, SUITES),
  warm: measureWarm,
  ensembles: measureEnsembles,
  recover: measureRecovery,
  disturbed: measureDisturbed,
  generators: measureGenerators,
  "by-hand": measureByHand,
  power: measurePower,
  killed: measureKilled,
  gate: measureGate,
  fuzz: (site: SelfSite, { fuzz }: Wishes) => measureFuzz(site, SUITES, fuzz),
  faults: (site: SelfSite, { faults }: Wishes) => measureFaults(site, faults),
  board: measureBoard,
  agents: (site: SelfSite, { hosts }: Wishes) => measureAgents(site, hosts),
};
const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];
/** These repeat for many minutes, or ask for tools most have not, so they are measured only when asked for. */
const LONG: readonly string[] = [
  "generators",
  "by-hand",
  "power",
  "killed",
  "gate",
  "fuzz",
  "faults",
  "board",
  "agents",
];
/** These start no server of a suite. */
const WITHOUT_FILES: readonly string[] = ["faults", "board"];
const BY_DEFAULT = NAMES.filter((part) => !LONG.includes(part));
const [ROUNDS, MOST_ROUNDS] = [5, 100];

/**
 * `bench self`: what the bench promises of itself, each figure a ratio measured now. Exit 3 when one is missed by more than
 * chance takes it.
 */
export async function selfCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, outStyle, columns, print, doing } = context;
  const parts = namesFrom(args, "only", "part", NAMES) ?? BY_DEFAULT;
  const rounds = numberFrom(args, "rounds", 1, MOST_ROUNDS) ?? ROUNDS;
  const fuzz: FuzzWish = {
    requests: numberFrom(args, "fuzz-requests", LEAST_FUZZED, MOST_FUZZED) ?? FUZZ_REQUESTS,
    seed: numberFrom(args, "seed", 0, 2 ** 32 - 1) ?? FUZZ_SEED,
    apps: args.value("fuzz-app")?.split(",").filter((word) => word !== "") ?? [],
  };
  const faults = faultChoiceFrom(args, parts);
  const hosts = agentsFrom(args, parts);
  if (args.has("list")) {
    for (const line of linesOf(chosenFaults(faults))) print(`${line}\n`);
    return EXIT.done;
  }
  const suite = SUITES[0]!;
  const interrupts = listenForInterrupts();
  return await withMachine(interrupts, async () => {
    const runtimes = await Promise.all(RUNTIME_NAMES.map(inspectRuntime));
    const equipment = await equip({ generator: "wrk", threads: null }, {}, runtimes, hostsHere());
    const directory = dataDirectory(args);
    const files = await prepareFiles({
      dataDirectory: directory,
      specs: parts.every((part) => WITHOUT_FILES.includes(part)) ? [] : probeFiles(suite),
      onStart: interrupts.onStart,
    });
    if (files.failed !== null) throw failure(files.failed, "bench data");
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
    for (const part of parts) {
      if (interrupts.stopped()) break;
      site.say(part);
      const made = await PARTS[part](site, { fuzz, faults, hosts });
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

/** Which faults are meant; naming some without asking for the part is a usage error. */
function faultChoiceFrom(args: Context["args"], parts: readonly string[]): FaultChoice {
  for (const option of ["fault", "quick", "list"] as const) {
    if (args.has(option) && !parts.includes("faults")) {
      throw usageError(`--${option} is of the faults`, `bench self --only faults --${option}`);
    }
  }
  return { names: namesFrom(args, "fault", "fault", GROUPS_AND_NAMES) ?? [], quick: args.has("quick") };
}

/** Which ways lead to the agents; saying some without asking for the part is a usage error. */
function agentsFrom(args: Context["args"], parts: readonly string[]): HostsWish {
  const given = HOST_OPTIONS.find((option) => args.has(option));
  if (given !== undefined && !parts.includes("agents")) {
    throw usageError(`--${given} is of the agents`, `bench self --only agents --${given} '${args.value(given)}'`);
  }
  return hostsWishFrom(args);
}

/** What is said where figures are beyond their goals by no more than chance takes them; empty without any. */
function unclearLine(measurements: readonly Measurement[], rounds: number): string {
  const unclear = measurements.filter((measurement) => outcomeOf(measurement) === "unclear").length;
  if (unclear === 0) return "";
  return `? ${counted(unclear, "figure")} beyond the goal by no more than chance takes it in ${
    counted(rounds, "round")
  }\n` +
    `  try: bench self --rounds ${Math.min(MOST_ROUNDS, 4 * rounds)}, which halves what chance does\n`;
}

/** From so many columns on what was measured stands beside its figures, else above them. */
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
