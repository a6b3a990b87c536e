import { RUNTIME_NAMES } from "../../servers/runtime.ts";
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
import type { Context } from "./context.ts";
import { measure } from "./measure.ts";
import {
  DEFAULT_CONNECTIONS,
  DEFAULT_DATA_SEED,
  durationFrom,
  engineFrom,
  generatorFrom,
  missShareFrom,
  numberFrom,
  placementWishFrom,
  SUITES,
} from "./plan-from-args.ts";

/** `bench duet A B`: two cells on one core at the same time, and an A/A duet beside them for the noise floor. */
export async function duetCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  if (args.words.length < 2) throw usageError("a duet needs two cells", "bench duet bun/sqlite/10k deno/sqlite/10k");
  const [a, b] = args.words.map(cellFrom) as [Cell, Cell];
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
  return await measure(context, { plan, wish: placementWishFrom(args), grade });
}

/** Reads a cell such as `bun/sqlite/10k`. */
function cellFrom(text: string): Cell {
  const parts = text.split("/");
  const [runtime, store, sizeText] = parts;
  if (parts.length !== 3) {
    throw usageError(`"${text}" is no cell`, "cells are written runtime/store/size: bun/sqlite/10k");
  }
  if (!RUNTIME_NAMES.some((name) => name === runtime)) throw unknownName("runtime", runtime!, RUNTIME_NAMES);
  if (!STORE_NAMES.some((name) => name === store)) throw unknownName("store", store!, STORE_NAMES);
  const size = parseSize(sizeText!);
  if (size === undefined || size < 1 || size > MAX_SIZE) {
    throw usageError(`size "${sizeText}" of "${text}" is none`, "a data set has 1 to 10m users, written 10k or 1m");
  }
  return { suite: "users", workload: SUITES["users"]!.workload, runtime: runtime!, store: store!, size };
}
