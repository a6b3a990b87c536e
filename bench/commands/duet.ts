import { join } from "node:path";
import { MAX_SIZE } from "../../stores/dataset/user-at.ts";
import { STORE_NAMES } from "../../stores/registry.ts";
import { unknownName } from "../args/read-args.ts";
import type { Cell } from "../core/cell.ts";
import { gradeOf } from "../core/doctor/grade.ts";
import { type ExitCode, usageError } from "../core/errors.ts";
import { AA, MAIN, type Plan } from "../core/plan.ts";
import { PROFILES } from "../core/profile.ts";
import { formatSize, parseSize } from "../core/units.ts";
import { machineFacts } from "../host/doctor/machine-facts.ts";
import { resolveRuntimes, type RuntimeWish } from "../host/runtimes.ts";
import { type Context, dataDirectory } from "./context.ts";
import { measure } from "./measure.ts";
import {
  DEFAULT_CONNECTIONS,
  DEFAULT_DATA_SEED,
  durationFrom,
  engineFrom,
  generatorFrom,
  missShareFrom,
  numberFrom,
  parseRuntimeWish,
  placementWishFrom,
  SUITES,
} from "./plan-from-args.ts";

/** `bench duet A B`: two cells on one core at the same time, and an A/A duet beside them for the noise floor. */
export async function duetCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  if (args.words.length < 2) throw usageError("a duet needs two cells", "bench duet bun/sqlite/10k deno/sqlite/10k");
  const asked = args.words.map(askedFrom);
  const wishes = new Map(asked.map(({ wish }) => [JSON.stringify(wish), wish]));
  const runtimes = await resolveRuntimes([...wishes.values()], join(dataDirectory(args), "runtimes"));
  const labels = new Map([...wishes.keys()].map((key, index) => [key, runtimes[index]!.label]));
  const [a, b] = asked.map(({ wish, store, size }): Cell => ({
    suite: "users",
    workload: SUITES["users"]!.workload,
    runtime: labels.get(JSON.stringify(wish))!,
    store,
    size,
  })) as [Cell, Cell];
  if (a.size !== b.size) {
    throw usageError(
      `a duet compares cells of one size, not ${formatSize(a.size)} with ${formatSize(b.size)}`,
      "the larger one's memory would crowd out the smaller one's: compare sizes with bench run",
    );
  }
  const grade = gradeOf(machineFacts());
  if (grade.grade === "advisory") {
    throw usageError(
      `duets need two processes pinned to one core: ${grade.reasons[0]}`,
      "bench run compares solo rates",
    );
  }
  const same = a.runtime === b.runtime && a.store === b.store;
  const subject = (cell: Cell, label: string) => ({ cell, label });
  const plan: Plan = {
    subjects: [],
    duets: [
      { purpose: "aa", a: subject(a, MAIN), b: subject(a, AA) },
      ...(same ? [] : [{ purpose: "pair" as const, a: subject(a, MAIN), b: subject(b, MAIN) }]),
    ],
    rounds: numberFrom(args, "rounds", 1, 1000) ?? PROFILES.default.rounds,
    durationMs: PROFILES.default.durationMs,
    duetMs: durationFrom(args, "duration") ?? PROFILES.default.duetMs,
    warmupMs: durationFrom(args, "warmup") ?? PROFILES.default.warmupMs,
    connections: numberFrom(args, "connections", 1, 5_000) ?? DEFAULT_CONNECTIONS,
    seed: numberFrom(args, "seed", 0, 2 ** 32 - 1) ?? Date.now() % 2 ** 32,
    dataSeed: numberFrom(args, "data-seed", 0, 2 ** 32 - 1) ?? DEFAULT_DATA_SEED,
    missShare: missShareFrom(args),
    profile: "duet",
    generator: generatorFrom(args),
    engine: engineFrom(args),
  };
  return await measure(context, { plan, wish: placementWishFrom(args), grade, runtimes });
}

/** Reads a cell such as `bun/sqlite/10k`; the runtime may also be a version or a file, as for `bench run`. */
function askedFrom(text: string): { wish: RuntimeWish; store: string; size: number } {
  const match = /^(.+)\/([^/]+)\/([^/]+)$/.exec(text);
  if (match === null) throw usageError(`"${text}" is no cell`, "cells are written runtime/store/size: bun/sqlite/10k");
  const [, runtime, store, sizeText] = match;
  if (!STORE_NAMES.some((name) => name === store)) throw unknownName("store", store!, STORE_NAMES);
  const size = parseSize(sizeText!);
  if (size === undefined || size < 1 || size > MAX_SIZE) {
    throw usageError(`size "${sizeText}" of "${text}" is none`, "a data set has 1 to 10m users, written 10k or 1m");
  }
  return { wish: parseRuntimeWish(runtime!), store: store!, size };
}
