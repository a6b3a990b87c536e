import { fileURLToPath } from "node:url";
import { nullServiceCommand } from "../../servers/null/null-service.ts";
import { realService } from "../../servers/services/real-service.ts";
import { conditionAxis, connectionsAxis, numberAxis, runtimeAxis, runtimeOf, serviceAxis, wordAxis } from "../axes.ts";
import { areInstalled } from "../npm-package.ts";
import type { At, Point, ServiceSpec, Suite } from "../suite.ts";
import { alive, checks, methodOf, sample, type Workload } from "./checks.ts";
import { writtenAudit } from "../written-audit.ts";
import { SQL_DRIVERS } from "./sql/registry.ts";
import { CHANGED, LOADED } from "./world.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The most connections of a pool: PostgreSQL takes a hundred, and checks want one. */
const MOST_POOLED = 90;

/** Drivers of a default run: with all runtimes as many as fit on one core together. */
const MEASURED = ["pg", "postgres", "bun-sql", "drizzle-pg", "drizzle-postgres"];

const workload = conditionAxis({
  name: "workload",
  title: "Workload",
  help: "a row by key, twenty rows in a query, twenty queries, or five rows read and written in a transaction",
  phrases: {
    row: "one row by key",
    rows: "twenty rows in a query",
    queries: "twenty queries",
    updates: "a transaction of five rows",
  },
  measured: 1,
});

const driver = wordAxis({
  name: "driver",
  title: "Driver",
  help: "what talks to PostgreSQL",
  values: MEASURED,
  others: Object.keys(SQL_DRIVERS).filter((name) => !MEASURED.includes(name)),
  describe(value) {
    const { title, best } = SQL_DRIVERS[value]!;
    return { title, ...(best === undefined ? {} : { best: best.how }) };
  },
});

const use = conditionAxis({
  name: "use",
  title: "Use",
  help: "as a driver's first page shows it, or as its documentation says it is fastest",
  phrases: {
    default: "drivers as first shown",
    best: "drivers as documented fastest",
  },
  measured: 1,
});

const pool = numberAxis({
  name: "pool",
  title: "Pool",
  help: "connections of the driver to PostgreSQL",
  unit: "connections",
  values: [10],
  least: 1,
  most: MOST_POOLED,
});

const workloadOf = ({ at }: Point) => at["workload"] as Workload;
const isReal = (at: At) => at["service"] === "real";
const isGenerated = (at: At) => SQL_DRIVERS[at["driver"]!]!.generated !== undefined;

function supports(point: Point): true | string {
  const { runtimes, best, packages, generated = [] } = SQL_DRIVERS[point.at["driver"]!]!;
  if (!runtimes.includes(runtimeOf(point))) return `it is part of ${runtimes.join(" and ")}`;
  if (point.at["use"] === "best" && best?.workloads.includes(workloadOf(point)) !== true) {
    return "its default is its best use";
  }
  return areInstalled(...packages, ...generated);
}

function together(points: readonly Point[]): true | string {
  if (points.some(({ at }) => isReal(at))) return "a real PostgreSQL is waited for, which CPU time does not show";
  for (const axis of [workload, pool]) {
    if (new Set(points.map(({ at }) => at[axis.name])).size > 1) return `they differ in ${axis.title.toLowerCase()}`;
  }
  return true;
}

/** Tables are read from the folder's files, by both alike. */
function services({ at }: Point, directory: string | null): ServiceSpec[] {
  const world = `${directory}/world`;
  return [{
    kind: "service",
    name: isReal(at) ? "postgres" : "null-postgres",
    ...isReal(at)
      ? realService("postgres", ["--table", `world=${world}`])
      : { command: nullServiceCommand({ protocol: "postgres", wrk: "{wrk}", host: "{host}", tables: { world } }) },
  }];
}

/** Drivers of PostgreSQL, at what TechEmpower asks of them. */
export const drivers: Suite = {
  name: "drivers",
  subject: "PostgreSQL drivers",
  title: "drivers of PostgreSQL on each runtime: a row, twenty rows, twenty queries, a transaction of five",
  axes: [workload, driver, runtimeAxis, use, serviceAxis("PostgreSQL"), pool, connectionsAxis(50)],
  supports,
  together,
  probe: { driver: "pg", runtime: "node" },
  expectedWarmupMs: 5_500,
  presets: {
    real: { title: "beside a real PostgreSQL, which servers wait for", at: { service: ["real"] } },
  },
  files: ({ at }) => ({ builder: pathOf("build.ts"), request: isGenerated(at) ? { client: "prisma" } : {} }),
  services,
  server: ({ at }, directory, running = {}) => ({
    kind: "app",
    ...(isGenerated(at) ? { directory: directory! } : {}),
    runtime: String(at["runtime"]),
    module: pathOf("app.ts"),
    options: { driver: at["driver"]!, use: at["use"]!, pool: at["pool"]!, ...Object.values(running)[0] },
  }),
  requests: (point) => ({
    pace: { closed: point.at["connections"] as number },
    mix: [{ method: methodOf(workloadOf(point)), path: `/${workloadOf(point)}/{n}`, expect: [200] }],
    draws: { n: { kind: "uniform", below: LOADED } },
  }),
  calls(point) {
    const workload = workloadOf(point);
    // Writes would have to be audited.
    if (workload === "updates") return "in process rows are read, no more";
    const atOnce = point.at["connections"] as number;
    return { module: pathOf("calls.ts"), call: workload, options: { workload }, atOnce };
  },
  oracle: (point) => ({
    alive: alive(workloadOf(point)),
    checks: (seed) => checks(workloadOf(point), seed),
    sample: (seed) => sample(workloadOf(point), seed),
    // The null service keeps nothing.
    ...(workloadOf(point) === "updates" && isReal(point.at) ? { audit: writtenAudit("rows", CHANGED) } : {}),
  }),
};
