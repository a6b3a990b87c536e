import type { At, Draw, RequestPlan, RequestTemplate } from "../suite.ts";
import { BATCH_ROWS, KIND_KEYS, KIND_PREFIX, LOOK_UPS, RECENT_ROWS, WRITTEN_FROM } from "./events.ts";

/** A workload of the app. */
export interface Workload {
  readonly title: string;
  readonly request: RequestTemplate;
  /** Rows a request reads or writes. */
  readonly rows: number;
  /** The changes it makes: events, so many a request, or the counter of visits. */
  readonly writes: { readonly events: number } | "visits" | null;
}

const write = (path: string): RequestTemplate => ({
  method: "POST",
  path,
  headers: { "content-type": "application/json" },
  body: `{"kind":"${KIND_PREFIX}{digits}","ts":{ts}}`,
  expect: [201],
});

/** The workloads there are. */
export const WORKLOADS = {
  insert: {
    title: "POST /events: one INSERT, a transaction of its own",
    request: write("/events"),
    rows: 1,
    writes: { events: 1 },
  },
  batch: {
    title: `POST /events/batch: ${BATCH_ROWS} INSERTs in one transaction`,
    request: write("/events/batch"),
    rows: BATCH_ROWS,
    writes: { events: BATCH_ROWS },
  },
  select20: {
    title: `GET /events/recent: ${RECENT_ROWS} rows in the order of an index`,
    request: { path: "/events/recent", expect: [200] },
    rows: RECENT_ROWS,
    writes: null,
  },
  mixed: {
    title: `POST /events/mixed: one INSERT, then the ${RECENT_ROWS} most recent rows`,
    request: write("/events/mixed"),
    rows: 1 + RECENT_ROWS,
    writes: { events: 1 },
  },
  visits: {
    title: "GET /: one row counted up and read",
    request: { path: "/", expect: [200] },
    rows: 1,
    writes: "visits",
  },
  inside: {
    title: `GET /inside/:start: one statement that looks up ${LOOK_UPS} rows by index and gives one number`,
    request: { path: "/inside/{start}", expect: [200] },
    rows: LOOK_UPS,
    writes: null,
  },
} as const satisfies Readonly<Record<string, Workload>>;

/** Name of a workload. */
export type WorkloadName = keyof typeof WORKLOADS;

/** The workload of a point. */
export const workloadOf = (at: At): Workload => WORKLOADS[at["workload"] as WorkloadName];

/** The requests of a point. */
export function requestsOf(at: At): RequestPlan {
  const { request, rows, writes } = workloadOf(at);
  const ticks: Readonly<Record<string, Draw>> = {
    ts: { kind: "serial", from: WRITTEN_FROM },
    digits: { kind: "same", of: "ts", as: { hex16: KIND_KEYS } },
  };
  const draws = typeof writes === "object" && writes !== null
    ? ticks
    : at["workload"] === "inside"
    ? { start: { kind: "uniform", below: at["rows"] as number } as const }
    : undefined;
  return {
    pace: { closed: at["connections"] as number },
    mix: [request],
    rows,
    ...(draws === undefined ? {} : { draws }),
  };
}
