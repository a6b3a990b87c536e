/** Apps that answer otherwise when they are busy, measured as a run measures them. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTLE_MS } from "../bench/plan/lengths.ts";
import type { RuntimeName } from "../servers/runtime.ts";
import { inspectRuntime } from "../bench/runtimes/runtimes.ts";
import { userSuite } from "../bench/apps/user-suite.ts";
import { draftOf, itemsGiven } from "../bench/options/read-draft.ts";
import { recordReplies } from "../bench/apps/record-replies.ts";
import { judgeLine } from "../bench/judge/judge-line.ts";
import { checkedLoads, groupLines } from "../bench/judge/lines.ts";
import { otherReplies } from "../bench/judge/replies.ts";
import { equip, hostsHere } from "../bench/observe/equip.ts";
import { observeOnce } from "../bench/observe/observe-once.ts";
import { AA, cellKey, MAIN, USER_SUITE } from "../bench/record/cell.ts";
import { type Observation, observationRecord } from "../bench/record/observation-record.ts";
import { inTemporaryFolder } from "./testing.ts";

/** An app with a pool of four: who finds no place in it gets `other`, a JavaScript expression that makes a reply. */
export const pooled = (other: string) => `
const rows = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, name: "Row " + id })));
let busy = 0;
export default {
  async fetch() {
    if (busy >= 4) return ${other};
    busy++;
    await new Promise((done) => setTimeout(done, 20));
    busy--;
    return new Response(rows, { headers: { "content-type": "application/json" } });
  },
};`;

/** An app whose sizes differ by path and by query, one reply is streamed, one is none. */
const VARIED = `
const texts = Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, name: "x".repeat(id * 7 % 90) }));
export default {
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/none") return new Response(null, { status: 204 });
    if (pathname !== "/stream") return new Response(texts[Number(pathname.slice(6))]);
    const parts = ["a".repeat(3000), "b".repeat(5000), "c"].map((text) => new TextEncoder().encode(text));
    return new Response(new ReadableStream({
      pull: (controller) => parts.length > 0 ? controller.enqueue(parts.shift()) : controller.close(),
    }));
  },
};`;

/**
 * Times a load is made until its samples show what they can: a machine that stands still leaves no time for a sample, or a
 * place in the pool.
 */
const MOST_LOADS = 5;

/** True if samples of each server show what they can: of one that is busy, that some were wrong; of a slow one nothing. */
const isSampled = (app: string, { beside = [] }: Observation) =>
  !/busy|pathname/.test(app) ||
  beside.length > 0 &&
    beside.every((own) => own !== null && own.asked > 0 && (own.wrong.length > 0 || !app.includes("busy")));

/** Loads one's own app on a runtime for a second, alone or beside itself, and gives what is said of its replies. */
export async function said(runtime: RuntimeName, app: string, requests: readonly string[], servers: 1 | 2 = 1) {
  return await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "app.js"), app);
    writeFileSync(join(folder, "ids.jsonl"), requests.join("\n"));
    const binary = await inspectRuntime(runtime);
    const draft = draftOf(itemsGiven([["app", join(folder, "app.js")], ["requests", join(folder, "ids.jsonl")]]));
    const spec = await recordReplies(draft, process.cwd(), {
      ...{ runtimes: [binary], hosts: hostsHere(), say: () => {}, laterMs: 0 },
    });
    const at = { app: "app", runtime: binary.label, connections: 50 };
    const equipment = await equip({ generator: "wrk", threads: null }, {}, [binary], hostsHere());
    const load = () =>
      observeOnce({
        suite: userSuite(spec, process.cwd()),
        cells: [MAIN, AA].slice(0, servers).map((label) => ({ point: { suite: USER_SUITE, at }, label })),
        files: { ready: [], failed: null, directoryOf: () => undefined },
        drawSeed: 7,
        durationMs: 1_000,
        warmup: { kind: "fixed", ms: SETTLE_MS, loads: 1 },
        onStart: () => {},
      }, equipment);
    let line = await load();
    for (let n = 1; n < MOST_LOADS && !isSampled(app, line); n++) line = await load();
    const read = observationRecord.parse(JSON.parse(JSON.stringify(line)));
    const again = judgeLine(read, { serverCpus: null, loadCpus: null });
    assert.deepEqual(again.marks.filter(isOfReplies), line.marks.filter(isOfReplies), "judged again");
    const first = cellKey(line.members[0]!.cell);
    const marks = otherReplies(checkedLoads(groupLines([{ ...line, status: "ok" }]), first));
    return { line, text: marks[0]?.text, beside: line.beside?.[0] ?? null, marks: line.marks.filter(isOfReplies) };
  });
}

const isOfReplies = ({ code }: { readonly code: string }) => code === "no-right-reply";
/** A line of a file of requests. */
export const one = (path: string, more = {}) => JSON.stringify({ method: "GET", path, ...more });

/** A short error with status 200 is named by its share and size. */
export async function shortErrorIsNamed(runtime: RuntimeName): Promise<void> {
  const { text, line } = await said(runtime, pooled('new Response("pool exhausted")'), [one("/rows")]);
  assert.match(
    text ?? "",
    /^under load \d+ % of replies were 14 bytes, recorded 10 981; \d+ of \d+ sampled replies were wrong: GET \/rows: /,
    JSON.stringify(line),
  );
}

/** Replies whose sizes differ by id, by kind and by chunks are no matter. */
export async function sizesAreNoMatter(runtime: RuntimeName): Promise<void> {
  const requests = [
    one("/text/{id}", { weight: 3, draws: { id: { kind: "uniform", below: 100 } } }),
    one("/stream"),
    one("/none"),
  ];
  const { text, beside, line } = await said(runtime, VARIED, requests);
  assert.equal(text, undefined, JSON.stringify(line));
  // Four a second at most, as long as the load generator's process is there.
  assert.ok(beside!.asked > 0 && beside!.asked <= 1 + line.wall_ms / 250, JSON.stringify(beside));
  assert.equal(beside!.sent.length, 3);
}
