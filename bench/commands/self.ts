import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { STORE_NAMES } from "../../stores/registry.ts";
import { EXIT, type ExitCode, failure } from "../core/errors.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import { inspectRuntime } from "../host/runtimes.ts";
import { takeMachine } from "../host/run-lock.ts";
import { measureBuild } from "../self/build.ts";
import { measureCeiling, measureHono } from "../self/ceiling.ts";
import { measureCells } from "../self/cells.ts";
import { measureDisturbed } from "../self/disturbed.ts";
import { measureKilled } from "../self/killed.ts";
import { measureDuets } from "../self/duets.ts";
import { measureLinear } from "../self/linear.ts";
import { type Measurement, reached } from "../self/measurements.ts";
import { measurePower } from "../self/power.ts";
import { measureRecovery } from "../self/recover.ts";
import type { SelfSite } from "../self/self-site.ts";
import { equip } from "../trial/equip.ts";
import { prepareData } from "../trial/prepare-data.ts";
import { type Context, dataDirectory } from "./context.ts";
import { DEFAULT_DATA_SEED, namesFrom, numberFrom } from "./plan-from-args.ts";

const PARTS = [
  "ceiling",
  "hono",
  "linear",
  "build",
  "cells",
  "duets",
  "recover",
  "disturbed",
  "power",
  "killed",
] as const;
/** These repeat for many minutes, so they are measured only when asked for. */
const LONG: readonly string[] = ["power", "killed"];
const BY_DEFAULT = PARTS.filter((part) => !LONG.includes(part));
const SIZES = [10_000, 1_000_000];

/** `bench self`: what the bench promises of itself, each figure a ratio measured now. Exit 3 when one is missed. */
export async function selfCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, stderr, outStyle } = context;
  const parts = namesFrom(args, "only", "part", PARTS) ?? BY_DEFAULT;
  const rounds = numberFrom(args, "rounds", 1, 100) ?? 7;
  const giveBack = takeMachine();
  const interrupts = listenForInterrupts();
  try {
    const equipment = await equip(
      { generator: "wrk", connections: 50 },
      {},
      await Promise.all(RUNTIME_NAMES.map(inspectRuntime)),
    );
    const directory = dataDirectory(args);
    const data = await prepareData({
      dataDirectory: directory,
      seed: DEFAULT_DATA_SEED,
      sizes: SIZES,
      stores: STORE_NAMES,
      onStart: interrupts.onStart,
    });
    if (data.failed !== null) throw failure(data.failed, "bench data");
    const folder = (store: string, size: number) =>
      data.parts.find((part) => part.part === store && part.size === size)!.directory;
    const site: SelfSite = {
      equipment,
      dataDirectory: directory,
      rounds,
      interrupts,
      say: (text) => stderr.write(stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`),
    };
    const storeDirectory = (store: string, size: number) => ({ directory: folder(store, size) });
    const measure = {
      ceiling: () => measureCeiling(site),
      hono: () => measureHono(site, folder("map", SIZES[0]!)),
      linear: () => measureLinear(site, folder("linear", SIZES[1]!), DEFAULT_DATA_SEED, SIZES[1]!),
      build: () => measureBuild(site),
      cells: () => measureCells(site, storeDirectory),
      duets: () => measureDuets(site, storeDirectory),
      recover: () => measureRecovery(site, storeDirectory),
      disturbed: () => measureDisturbed(site, storeDirectory),
      killed: () => measureKilled(site),
      power: () => measurePower(site, storeDirectory),
    };
    const measurements: Measurement[] = [];
    for (const part of parts) {
      if (interrupts.stopped()) break;
      site.say(part);
      const made = await measure[part]();
      if (stderr.isTTY) stderr.write("\r\u001b[K");
      measurements.push(...made);
      if (!args.has("json")) { for (const measurement of made) stdout.write(lineOf(measurement, outStyle) + "\n"); }
    }
    if (args.has("json")) stdout.write(JSON.stringify({ measurements }) + "\n");
    if (interrupts.stopped()) return EXIT.interrupted;
    return measurements.every(reached) ? EXIT.done : EXIT.invalid;
  } finally {
    interrupts.release();
    giveBack();
  }
}

function lineOf(measurement: Measurement, style: Context["outStyle"]): string {
  const { name, ratio, goal, note } = measurement;
  const wanted = "least" in goal ? `at least ${goal.least}` : `at most ${goal.most}`;
  const mark = reached(measurement) ? style.green("✓") : style.red("✗");
  const value = ratio === null ? "–" : ratio.toPrecision(3);
  return `${mark} ${name.padEnd(56)} ${value.padStart(6)}  ${wanted.padEnd(14)} ${style.dim(note)}`;
}
