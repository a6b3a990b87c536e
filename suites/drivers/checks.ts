import { checkOne } from "../check-each.ts";
import { type Check, expectReply } from "../suite.ts";
import { CHANGED, idsOf, LOADED, MANY, numberOf, ROWS, writtenOf } from "./world.ts";

/** Database work of one request. */
export const WORKLOADS = ["row", "rows", "queries", "updates"] as const;
/** See {@link WORKLOADS}. */
export type Workload = (typeof WORKLOADS)[number];

/** The request of a workload. Writes are no GET: a GET is sent in addition to the load, and would count as written. */
export const methodOf = (workload: Workload): "GET" | "POST" => workload === "updates" ? "POST" : "GET";

/** The rows a request is answered with. */
function rowsOf(workload: Workload, n: number): { id: number; randomnumber: number }[] {
  const [count, of] = workload === "updates"
    ? [CHANGED, writtenOf] as const
    : [workload === "row" ? 1 : MANY, numberOf] as const;
  return idsOf(n, count).map((id) => ({ id, randomnumber: of(id) }));
}

const checkOf = (workload: Workload, n: number): Check =>
  checkOne(`${methodOf(workload)} /${workload}/${n} has its rows`, (target) => {
    const rows = rowsOf(workload, n);
    const body = JSON.stringify(workload === "row" ? rows[0] : rows);
    return expectReply(target, { method: methodOf(workload), path: `/${workload}/${n}` }, { status: 200, body });
  });

/** The numbers checks ask for: in no load, so that what loads write is counted apart. */
const rowOf = (seed: number) => LOADED + seed % (ROWS - LOADED);

/** One request: the server answers at all. */
export const alive = (workload: Workload): Check => checkOf(workload, rowOf(0));
/** The first row, the last, and one more. */
export const checks = (workload: Workload, seed: number): Check[] =>
  [LOADED, ROWS - 1, rowOf(seed)].map((n) => checkOf(workload, n));
/** One more. */
export const sample = (workload: Workload, seed: number): Check => checkOf(workload, rowOf(seed));
