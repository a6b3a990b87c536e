import { resolve } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { MAX_SIZE } from "../../stores/dataset/user-at.ts";
import { STORE_NAMES } from "../../stores/registry.ts";
import type { OptionName } from "../args/options.ts";
import { type Args, unknownName } from "../args/read-args.ts";
import type { Grade } from "../core/doctor/grade.ts";
import { parseCpuList } from "../core/cpu-list.ts";
import { usageError } from "../core/errors.ts";
import type { PlacementWish } from "../core/placement.ts";
import { aaCellOf, type DuetChoice, duetsOf } from "../core/pairs.ts";
import { AA, MAIN, matrix, type Plan } from "../core/plan.ts";
import { type Profile, PROFILES } from "../core/profile.ts";
import { formatSize, parseDurationMs, parseSize } from "../core/units.ts";
import { GENERATORS } from "../generators/registry.ts";
import type { RuntimeWish } from "../host/runtimes.ts";

/** Sizes of the matrix unless others are asked for. */
export const DEFAULT_SIZES = [10_000, 100_000, 1_000_000];
/** Seed of the data set unless another is asked for: everybody measures the same users. */
export const DEFAULT_DATA_SEED = 42;
/** Connections of the load generator to each server. */
export const DEFAULT_CONNECTIONS = 50;
const MAX_SEED = 2 ** 32 - 1;

/** Suites there are, each with the workload it runs. */
export const SUITES: Readonly<Record<string, { readonly workload: string; readonly title: string }>> = {
  users: { workload: "read", title: "users by id over HTTP: GET /users/:id, ids drawn uniformly" },
};

/** Reads a comma-separated option against the names there are; undefined when it is not given. */
export function namesFrom<T extends string>(
  args: Args,
  option: OptionName,
  what: string,
  known: readonly T[],
): T[] | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(",").map((name) => name.trim()).filter((name) => name !== ""))];
  if (names.length === 0) throw usageError(`--${option} names no ${what}`, `known are ${known.join(", ")}`);
  for (const name of names) {
    if (!known.includes(name as T)) throw unknownName(what, name, known);
  }
  return known.filter((name) => names.includes(name));
}

/**
 * Reads the runtimes asked for: `node` is the pinned one, `node@24.21.0` that version from npm, `node=/path` that file.
 * Without the option each pinned one.
 */
export function runtimeWishesFrom(args: Args): RuntimeWish[] {
  const text = args.value("runtime");
  if (text === undefined) return RUNTIME_NAMES.map((name) => ({ name, source: { kind: "pinned" } }));
  const words = [...new Set(text.split(",").map((word) => word.trim()).filter((word) => word !== ""))];
  if (words.length === 0) throw usageError("--runtime names no runtime", `known are ${RUNTIME_NAMES.join(", ")}`);
  const wishes = words.map(parseRuntimeWish);
  const order = (wish: RuntimeWish) => RUNTIME_NAMES.indexOf(wish.name) * 2 + (wish.source.kind === "pinned" ? 0 : 1);
  return wishes.sort((a, b) => order(a) - order(b));
}

/** Reads one runtime as {@link runtimeWishesFrom} does. */
export function parseRuntimeWish(word: string): RuntimeWish {
  const [, name, mark, rest] = /^([^@=]*)(?:([@=])(.*))?$/s.exec(word)!;
  const known = RUNTIME_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw unknownName("runtime", name!, RUNTIME_NAMES);
  if (mark === undefined) return { name: known, source: { kind: "pinned" } };
  if (mark === "=") {
    if (rest === "") throw usageError(`"${word}" names no file`, `--runtime ${known}=/path/to/${known}`);
    return { name: known, source: { kind: "file", file: resolve(rest!) } };
  }
  const version = rest!.replace(/^v/, "");
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    throw usageError(`"${word}" names no exact version`, `--runtime ${known}@1.2.3`);
  }
  return { name: known, source: { kind: "version", version } };
}

/** Reads a comma-separated list of sizes; undefined when it is not given. */
export function sizesFrom(args: Args): number[] | undefined {
  const text = args.value("size");
  if (text === undefined) return undefined;
  const sizes = text.split(",").map((part) => {
    const size = parseSize(part);
    if (size === undefined) throw usageError(`"${part}" is no size`, `sizes are written 10k, 1m or 1_000_000`);
    if (size < 1 || size > MAX_SIZE) {
      throw usageError(`size "${part}" is out of range`, `a data set has 1 to ${formatSize(MAX_SIZE)} users`);
    }
    return size;
  });
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** Reads a whole number; undefined when it is not given. */
export function numberFrom(args: Args, option: OptionName, least: number, most: number): number | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const value = /^\d[\d_]*$/.test(text) ? Number(text.replaceAll("_", "")) : NaN;
  if (!(value >= least && value <= most)) {
    throw usageError(`--${option} "${text}" is no whole number from ${least} to ${most}`, "give it as digits");
  }
  return value;
}

/** Reads whole seconds in milliseconds; undefined when they are not given. */
export function durationFrom(args: Args, option: "duration" | "warmup"): number | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    throw usageError(`--${option} "${text}" is no duration`, `durations are written 3s, 500ms or 2m`);
  }
  if (ms < 1_000 || ms > 600_000 || ms % 1_000 !== 0) {
    throw usageError(`--${option} "${text}" is not whole seconds from 1s to 10m`, "wrk counts in whole seconds");
  }
  return ms;
}

function profileFrom(args: Args): Profile {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  return args.has("quick") ? PROFILES.quick : args.has("thorough") ? PROFILES.thorough : PROFILES.default;
}

/** Reads the share of requests for ids that do not exist. */
export function missShareFrom(args: Args): number {
  const text = args.value("miss-share");
  if (text === undefined) return 0;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
  if (!(share >= 0 && share <= 1)) {
    throw usageError(`--miss-share "${text}" is no share from 0 to 1`, "for example 0.1");
  }
  return share;
}

/** Reads the load generator. */
export function generatorFrom(args: Args): string {
  const generator = args.value("generator") ?? "wrk";
  if (!Object.hasOwn(GENERATORS, generator)) throw unknownName("generator", generator, Object.keys(GENERATORS));
  return generator;
}

/** Reads the SQLite engine. */
export function engineFrom(args: Args): "native" | "node" {
  const engine = args.value("engine") ?? "native";
  if (engine !== "native" && engine !== "node") throw unknownName("engine", engine, ["native", "node"]);
  return engine;
}

/** Which comparisons duets make: by default the runtimes, where the machine is not proven quiet. */
function duetChoicesFrom(args: Args, grade: Grade["grade"], against: boolean): DuetChoice[] {
  if (args.value("duets") === "none") return [];
  const chosen = namesFrom(args, "duets", "comparison", ["runtimes", "stores"] as const);
  if (chosen !== undefined && grade === "advisory") {
    throw usageError("duets need two processes pinned to one core, which cannot be done here", "leave out --duets");
  }
  // Against another revision the question is what changed, not which runtime is faster.
  if (against) return [...chosen ?? [], ...(grade === "advisory" ? [] : ["labels" as const])];
  return chosen ?? (grade === "shared" ? ["runtimes"] : []);
}

function labelFrom(args: Args): string {
  const label = args.value("label") ?? MAIN;
  if (!/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(label) || label === AA) {
    throw usageError(`--label "${label}" is no label`, `letters, digits, dots and dashes, and not "${AA}"`);
  }
  return label;
}

/**
 * Makes the plan of `all` and `run`. Throws a usage error for anything that cannot be measured.
 * @param runtimes labels of the runtimes to measure
 * @param against label of another revision to measure beside this one
 */
export function planFrom(
  args: Args,
  grade: Grade["grade"],
  runtimes: readonly string[],
  against?: string,
): Plan {
  const suite = args.words[0] ?? "users";
  if (!Object.hasOwn(SUITES, suite)) throw unknownName("suite", suite, Object.keys(SUITES));
  const profile = profileFrom(args);
  const generator = generatorFrom(args);
  const label = labelFrom(args);
  const cells = matrix({
    suite,
    workload: SUITES[suite]!.workload,
    runtimes,
    stores: namesFrom(args, "store", "store", STORE_NAMES) ?? STORE_NAMES,
    sizes: sizesFrom(args) ?? DEFAULT_SIZES,
  });
  const rounds = numberFrom(args, "rounds", 1, 1000) ?? profile.rounds;
  const durationMs = durationFrom(args, "duration") ?? profile.durationMs;
  const warmupMs = durationFrom(args, "warmup") ?? profile.warmupMs;
  const aaCell = aaCellOf(cells);
  const labels = against === undefined ? [label] : [label, against];
  const subjects = [
    ...cells.flatMap((cell) => labels.map((each) => ({ cell, label: each }))),
    { cell: aaCell, label: AA },
  ];
  const choices = duetChoicesFrom(args, grade, against !== undefined);
  const duetMs = choices.length === 0 ? 0 : against === undefined ? profile.duetMs : Math.max(1_000, profile.duetMs);
  const changed = rounds !== profile.rounds || durationMs !== profile.durationMs || warmupMs !== profile.warmupMs;
  return {
    subjects,
    duets: duetMs === 0 ? [] : duetsOf(subjects, choices, aaCell),
    rounds,
    durationMs,
    duetMs: Math.max(1_000, duetMs),
    warmupMs,
    connections: numberFrom(args, "connections", 1, 10_000) ?? DEFAULT_CONNECTIONS,
    seed: numberFrom(args, "seed", 0, MAX_SEED) ?? Date.now() % 2 ** 32,
    dataSeed: numberFrom(args, "data-seed", 0, MAX_SEED) ?? DEFAULT_DATA_SEED,
    missShare: missShareFrom(args),
    profile: changed ? `${profile.name}, changed` : profile.name,
    generator,
    engine: engineFrom(args),
  };
}

/** Reads the CPUs asked for. */
export function placementWishFrom(args: Args): PlacementWish {
  const list = (option: "server-cpus" | "load-cpus") => {
    const text = args.value(option);
    if (text === undefined) return undefined;
    const cpus = parseCpuList(text);
    if (cpus === undefined) {
      throw usageError(`--${option} "${text}" is no list of CPUs`, `lists are written 1 or 2-3,5`);
    }
    return cpus;
  };
  const serverCpus = list("server-cpus");
  const loadCpus = list("load-cpus");
  return { ...(serverCpus && { serverCpus }), ...(loadCpus && { loadCpus }) };
}
