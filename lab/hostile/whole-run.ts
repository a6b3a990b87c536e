/** Runs that hold every text a run.json may have: what hostile plans are made from. */
import { join } from "node:path";
import { makePlan } from "../../bench/plan/make-plan.ts";
import { PROFILES } from "../../bench/plan/profile.ts";
import { registeredSuite } from "../../bench/sources/load-suite.ts";
import { readRun } from "../../bench/runs/read-run.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { settle } from "../../bench/options/settle.ts";
import type { UserSpec } from "../../bench/record/user-spec.ts";
import type { Plan } from "../../bench/record/plan.ts";
import { type RunRecord, runRecord } from "../../bench/record/run-record.ts";

const HASH = "0".repeat(64);
const COMMIT = "0".repeat(40);
const body = { base64: "AAAA" };
const source = { of: "home", files: 1 } as const;
const headers = { accept: "*/*" };

/** Runtimes of their cells: one, so that few processes tell their version. */
const RUNTIME = "node";

const reply = {
  ...{ status: 200, headers, body: "x", characters: 1, sha256: HASH, sent_bytes: 1 },
  ...{ encoding: "gzip", base64: "AA==", json_sha256: HASH },
};

const replies = [{ app: "a", runtime: RUNTIME, reply, left_out: ["header:age"] }];

/** Servers of each kind, with all that may be said of them. */
const USER_SPEC: UserSpec = {
  schema: "levelfield.own/2",
  servers: [
    {
      ...{ kind: "app", name: "a", module: "a.ts", home: ".", sha256: HASH, source, needs: { [RUNTIME]: "tsx" } },
      listens: { args: ["--x"], ready: "/", port: null },
      apart: "they share port 9",
      revision: { ref: "main", commit: COMMIT, changed: false },
    },
    {
      ...{ kind: "command", name: "c", command: ["c"], port: null, ready: "/", home: "." },
      served: [{ name: "c", from: "pinned", version: "1", sha256: HASH, pinned: "1" }],
      files: [{ path: "c", sha256: HASH }],
      revision: { ref: "main", commit: COMMIT, changed: false },
    },
    { kind: "target", name: "t", url: "http://127.0.0.1:9", pid: null },
  ],
  env: ["HOME"],
  requests: [
    {
      method: "POST",
      path: "/",
      headers,
      body: "x",
      recorded_form: { bytes: [1, 2], type: "text/html", keys: ["id"] },
    },
    { method: "POST", path: "/b", body, first: "x" },
    { method: "POST", path: "/c", body, first: body },
  ],
  draws: { row: { kind: "rows", file: "rows.txt" }, again: { kind: "same", of: "row" } },
  ignore: ["header:date"],
  samples: [
    { of: 0, method: "POST", path: "/", headers, body: "x", reply, left_out: ["header:age"] },
    { of: 1, method: "POST", path: "/b", headers, body, first: "x", reply: null },
    { of: 2, method: "POST", path: "/c", headers, body, first: body, reply: null, replies },
  ],
  asked_first: { app: "a", runtime: RUNTIME },
  refused: [{ app: "t", runtime: RUNTIME, reason: "it does not start" }],
  starts: [{ app: "a", runtime: RUNTIME, ms: 1 }],
  listed_under: RUNTIME,
  given: [["request", "GET /"]],
  left_out: ["a font"],
};

/**
 * A stopped run of a suite of this project that anybody may go on with, and the same with everything that takes trust:
 * servers, a module, hosts and another revision.
 */
export async function wholeRuns(): Promise<{ readonly plain: RunRecord; readonly trusting: RunRecord }> {
  const { run } = readRun(join(PROJECT_ROOT, "results", "reference-kv-intel-6-207"));
  const kv = registeredSuite("kv");
  const at = { runtime: [RUNTIME], server: ["hono"] };
  const made = await makePlan(kv, {
    ...settle(kv, { profile: PROFILES.quick, given: { at }, seed: 1 }),
    ...{ module: null, together: false },
  });
  const [{ point }] = made.cells as [Plan["cells"][number]];
  const shared = { at: point.at, metric: "requests_per_second", why: "it is so" } as const;
  const tool = { name: "wrk", version: "4", sha256: HASH };
  const machine = {
    ...{ ...run.machine, cpus_allowed: "0-1", virtualization: "kvm", container: "docker", libc: "glibc 2" },
    ...{ governors: ["performance"], environment: { TZ: "UTC" } },
  };
  const plan: Plan = {
    ...made,
    unsupported: [{ point: { ...point, at: { ...point.at, keys: 7 } }, reason: "it has no such keys" }],
    further: { axis: "rate", generator: "h2load", limit: null },
    left_out: [{ axis: "server", values: ["bare"] }],
    unit: "start",
    preset: "oleg",
    expectations: [
      { kind: "published", at: point.at, metric: shared.metric, value: 1, source: "a page" },
      { kind: "ratio", name: "r", over: point.at, under: point.at, metric: shared.metric, why: shared.why },
      { kind: "scaling", axis: "keys", at: point.at, law: "O(1)", least: 0, greatest: 1, why: shared.why },
      { kind: "steps", name: "s", axis: "server", values: ["hono"], ...shared },
    ],
  };
  const link = { name: "eth0", bits_per_second: null };
  const plain: RunRecord = {
    ...{ ...run, state: "interrupted", finished_at: null, plan, machine },
    grade: {
      ...run.grade,
      reasons: [{ code: "virtual", effect: "note", text: "it is a virtual machine" }, "it is one"],
    },
    levelfield: { ...run.levelfield, git_commit: COMMIT, flake_lock_sha256: HASH, image_digest: "sha256:0" },
    priority: { nice: null, why: "only root may" },
    runtimes: run.runtimes.filter(({ name }) => name === RUNTIME).map((each) => ({ ...each, revision: "v8 1" })),
    ...{ warmed_by: tool, further_generators: [tool] },
    files: [{ title: "keys", request: { keys: "7" }, sha256: HASH, disk_bytes: 1 }],
  };
  const further: Plan["further"] = {
    ...{ axis: "rate", generator: "ontime", limit: "p99<10ms" },
  };
  const trusting: RunRecord = {
    ...plain,
    finished_at: run.finished_at,
    plan: {
      ...plan,
      further,
      suite: { ...plan.suite, module: "suite.ts", source: { sha256: HASH, source }, own: USER_SPEC },
    },
    against: { ref: "main", commit: COMMIT, label: "0000000" },
    hosts: {
      ...{ server: "ssh a", load: "ssh b", address: "127.0.0.1", link, load_machine: machine },
      service: { host: "ssh c", address: "127.0.0.1", link, machine },
    },
  };
  return { plain: runRecord.parse(plain), trusting: runRecord.parse(trusting) };
}
