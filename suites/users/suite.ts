import { fileURLToPath } from "node:url";
import { MAX_SIZE } from "../../stores/dataset/user-at.ts";
import { realService } from "../../servers/services/real-service.ts";
import { ROWS_FILE } from "../../stores/files/service-rows.ts";
import { loadStore, SERVICE_STORES, STORE_NAMES } from "../../stores/registry.ts";
import { engineRuntimeArgs } from "../../stores/sqlite/engine-flags.ts";
import {
  conditionAxis,
  connectionsAxis,
  countAxis,
  numberAxis,
  runtimeAxis,
  runtimeOf,
  wordAxis,
  workersAt,
  workersAxes,
  workersOn,
} from "../axes.ts";
import { areInstalled } from "../npm-package.ts";
import type { At, Axis, Point, ServiceSpec, Suite, UserModule, ValueFacts } from "../suite.ts";
import type { UsersOptions } from "./app.ts";
import { contentionAudit, createdUsersAudit } from "./audit.ts";
import { alive, checks, sample } from "./checks.ts";
import { expectations } from "./expectations.ts";
import { placeOfCreates, requestsOf, type Workload } from "./workloads.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Seed of the data set unless another is requested: everybody measures the same users. */
const DATA_SEED = 42;
/** Milliseconds a SQLite store waits for a lock. */
const BUSY_TIMEOUT_MS = 5000;

const workload = conditionAxis({
  name: "workload",
  title: "Workload",
  help: "what is asked: GET /users/:id, POST /users, a mix, or POST while another process writes the file",
  phrases: {
    read: "reads by id",
    write: "creates",
    "mixed-95-5": "95 reads to 5 creates",
    "mixed-50-50": "as many creates as reads",
    contended: "creates while another process writes",
  },
  measured: 1,
});

/**
 * Adds the reasons against a store whatever its figures: users that are lost with its process, CPU time that is not in
 * them.
 */
function withCaveat(facts: ValueFacts): ValueFacts {
  const { durability, elsewhere } = facts;
  const caveats = [
    ...(durability === "memory" ? ["keeps users in memory only"] : []),
    ...(elsewhere === undefined ? [] : [`works in another process too (${elsewhere}), whose CPU time is not counted`]),
  ];
  return caveats.length === 0 ? facts : { ...facts, caveat: caveats.join(" and ") };
}

const storeAxis = (modules: readonly UserModule[]): Axis => ({
  ...wordAxis({
    name: "store",
    title: "Store",
    help: "what keeps the users and finds them by id; ./mine.ts is one of your own",
    values: STORE_NAMES,
    others: [...Object.keys(SERVICE_STORES), ...modules.map(({ value }) => value)],
    async describe(value) {
      const facts = modules.find((module) => module.value === value)?.facts;
      if (facts !== undefined) return withCaveat(facts);
      const { title, complexity, durability, elsewhere } = await loadStore(String(value));
      const described = withCaveat({
        title,
        complexity,
        durability,
        ...(elsewhere === undefined ? {} : { elsewhere }),
      });
      return complexity === "O(n)" ? { ...described, warning: "looks through all users for each request" } : described;
    },
  }),
  modules: pathOf("../../stores/user/main.ts"),
});

const size = countAxis({
  name: "size",
  title: "Users",
  help: "users in the data set",
  unit: "users",
  values: [10_000, 100_000, 1_000_000],
  least: 1,
  most: MAX_SIZE,
});

const engine = conditionAxis({
  name: "engine",
  title: "SQLite engine",
  help: "SQLite engine: the runtime's own, node:sqlite on Bun too, or one library file for all",
  phrases: {
    native: "the runtime's own SQLite",
    node: "node:sqlite",
    library: "one SQLite library",
  },
  measured: 1,
});

const busyTimeout = numberAxis({
  name: "busyTimeout",
  title: "Busy timeout",
  help: "milliseconds a SQLite store waits for a lock before it says that it is busy",
  unit: "ms",
  values: [BUSY_TIMEOUT_MS],
  least: 0,
  most: 60_000,
});

const missShare: Axis = {
  name: "missShare",
  title: "Share of misses",
  role: "condition",
  help: "share of reads for ids that do not exist, 0 to 1",
  values: [0],
  parse(text) {
    const share = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    return share >= 0 && share <= 1 ? share : undefined;
  },
  format: String,
};

const dataSeed = numberAxis({
  name: "dataSeed",
  title: "Data seed",
  help: "seed of the data set",
  values: [DATA_SEED],
  least: 0,
  most: 2 ** 32 - 1,
});

/** Packages of npm that some stores need. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  drizzle: ["drizzle-orm"],
  postgres: ["postgres"],
  "drizzle-postgres": ["drizzle-orm", "postgres"],
  redis: ["ioredis"],
};

const isSqlite = (at: At) => at["store"] === "sqlite" || at["store"] === "drizzle";
const workloadOf = (at: At) => at["workload"] as Workload;
const servedOf = (at: At) => ({ size: at["size"] as number, dataSeed: at["dataSeed"] as number });

function supports(module: UserModule | undefined, point: Point): true | string {
  const { at } = point;
  const runtimes = module?.facts["runtimes"];
  if (runtimes !== undefined && !runtimes.split(", ").includes(runtimeOf(point))) {
    return `it says that it runs on ${runtimes} only`;
  }
  if (!isSqlite(at) && at["engine"] !== "native") return "it has no SQLite engine";
  if (!isSqlite(at) && at["busyTimeout"] !== BUSY_TIMEOUT_MS) return "it has no SQLite engine that could wait";
  if (workloadOf(at) !== "read" && at["missShare"] !== 0) {
    return "an id nobody has could be one that a request has just created";
  }
  if (workloadOf(at) === "contended" && at["store"] !== "sqlite") return "two processes write one file: SQLite's only";
  if (
    workersAt(point).workers !== undefined && workloadOf(at) !== "read" && SERVICE_STORES[at["store"]!] === undefined
  ) {
    return "each worker would keep the users it is sent: ask for --workload read";
  }
  const way = workersOn(point);
  if (way !== true) return way;
  return areInstalled(...PACKAGES[at["store"]!] ?? []);
}

/** A store that scans its file answers too few requests on a part of a core from this size on. */
const LEAST_SLOW_SCAN = 20_000;

/** Conditions that decide what is asked: figures of points that differ in one are of different requests. */
const REQUEST_AXES = [workload, size, missShare, dataSeed];

function together(moduleAt: (at: At) => UserModule | undefined, points: readonly Point[]): true | string {
  for (const axis of REQUEST_AXES) {
    const values = new Set(points.map(({ at }) => axis.format(at[axis.name]!)));
    if (values.size > 1) return `they differ in ${axis.title.toLowerCase()} (${[...values].join(", ")})`;
  }
  const one = points[0]!.at;
  if (points.some(({ at }) => at["store"] === "linear") && (one["size"] as number) >= LEAST_SLOW_SCAN) {
    return "linear scans the file for each request: too slow to share a core";
  }
  for (const { at } of points) {
    const elsewhere = moduleAt(at)?.facts["elsewhere"] ?? SERVICE_STORES[at["store"]!]?.elsewhere;
    if (elsewhere !== undefined) {
      return `${at["store"]} works in another process (${elsewhere}), which CPU time per request does not show`;
    }
  }
  if (workloadOf(one) !== "read" && points.some(({ at }) => isSqlite(at))) {
    return "SQLite waits for the disk now and then as it writes, which CPU time per request does not show";
  }
  return true;
}

/** Returns a store's service, filled from its folder. */
function services({ at }: Point, directory: string | null): ServiceSpec[] {
  const name = SERVICE_STORES[at["store"]!]?.service;
  if (name === undefined) return [];
  const file = `${directory}/${ROWS_FILE}`;
  const filled = name === "postgres" ? ["--table", `users=${file}`] : ["--pairs", file];
  return [{ kind: "service", name, ...realService(name, filled) }];
}

/** The suite with users' stores besides those of the registry. */
function usersWith(modules: readonly UserModule[]): Suite {
  const ownAt = (at: At) => modules.find(({ value }) => value === at["store"]);
  return {
    name: "users",
    subject: "Users by id over HTTP",
    title: "users by id over HTTP: GET /users/:id and POST /users, ids drawn uniformly",
    axes: [
      workload,
      runtimeAxis,
      storeAxis(modules),
      size,
      engine,
      busyTimeout,
      connectionsAxis(50),
      missShare,
      dataSeed,
      ...workersAxes,
    ],
    supports: (point) => supports(ownAt(point.at), point),
    together: (points) => together(ownAt, points),
    probe: { runtime: "deno", store: "map", size: 10_000 },
    // Its answer is about the smallest; how a store grows shows between the ends.
    quick: { at: { size: [10_000, 1_000_000] } },
    presets: {
      tutorial: {
        title: 'as the tutorial "Benchmarking with wrk" has it: wrk -t4 -c50 -d10s, each once',
        threads: 4,
        durationMs: 10_000,
        rounds: 1,
        at: { connections: [50] },
      },
    },
    withModules: usersWith,
    files({ at }) {
      const builder = pathOf("../../stores/prepared/main.ts");
      const request = { store: at["store"]!, size: at["size"]!, seed: at["dataSeed"]! };
      const module = ownAt(at);
      if (module === undefined) return { builder, request };
      const { file, runtime, facts } = module;
      return { builder, request: { ...request, module: file, moduleSha256: facts.sha256! }, runtime };
    },
    services,
    server({ at }, directory, running = {}) {
      const module = ownAt(at);
      const options: UsersOptions = {
        store: String(at["store"]),
        ...(module === undefined ? {} : { module: module.file }),
        engine: at["engine"] as UsersOptions["engine"],
        busyTimeout: at["busyTimeout"] as number,
        dataSeed: at["dataSeed"] as number,
        ...(workloadOf(at) === "contended" ? { writers: 2 } : {}),
        ...Object.values(running)[0],
      };
      return {
        kind: "app",
        runtime: String(at["runtime"]),
        module: pathOf("app.ts"),
        options: { ...options },
        runtimeArgs: engineRuntimeArgs(options.engine, String(at["runtime"])),
        ...(directory === null ? {} : { directory }),
        state: workloadOf(at) === "read" || at["store"]! in SERVICE_STORES ? "shared" : "copy",
        ...workersAt({ suite: "users", at }),
      };
    },
    requests: ({ at }) => requestsOf(at),
    calls: ({ at }) =>
      workloadOf(at) === "read" && at["missShare"] === 0
        ? { module: pathOf("calls.ts"), call: "find", options: { size: at["size"]! } }
        : "in process a store's users are found, no more",
    oracle({ at }) {
      const served = servedOf(at);
      const creates = placeOfCreates(workloadOf(at));
      return {
        alive,
        checks: (seed) => checks(served, seed),
        sample: (seed) => sample(served, seed),
        ...(creates === undefined ? {} : {
          audit: (loads) =>
            workloadOf(at) === "contended" ? contentionAudit(served, loads) : createdUsersAudit(served, loads, creates),
        }),
      };
    },
    expectations,
  };
}

/** Users by id over HTTP, over stores that find them in different ways. */
export const users: Suite = usersWith([]);
