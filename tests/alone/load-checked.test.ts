/** Replies under load are held against what was recorded, on each runtime: whoever answers otherwise when busy is named. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { windowTogetherMs } from "../../bench/core/schedule.ts";
import { SETTLE_MS } from "../../bench/core/warm-up-lengths.ts";
import { windowMs } from "../../bench/core/window-length.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { inspectRuntime } from "../../bench/host/runtimes.ts";
import { OWN } from "../../bench/core/own/own-words.ts";
import { ownSuite } from "../../bench/input/own/own-suite.ts";
import { draftOf, itemsGiven } from "../../bench/input/own/read-draft.ts";
import { recordReplies } from "../../bench/input/own/record-replies.ts";
import { judgeLine } from "../../bench/judge/judge-line.ts";
import { checkedLoads, sortLines } from "../../bench/judge/lines.ts";
import { otherReplies } from "../../bench/judge/replies.ts";
import { equip, hostsHere } from "../../bench/observe/equip.ts";
import { observeOnce } from "../../bench/observe/observe-once.ts";
import { AA, cellKey, MAIN } from "../../bench/record/cell.ts";
import { type Observation, observationRecord } from "../../bench/record/observation-record.ts";
import { toolTest } from "../run-bench.ts";
import { inTemporaryFolder } from "../testing.ts";

/** Who finds no place in a pool of four is answered otherwise; `OTHER` makes that reply. */
const pooled = (other: string) => `
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

/** Sizes differ by path and by query, one reply is streamed, one is none. */
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

/** Whether samples of each server show what they can: of one that is busy, that some were wrong; of a slow one nothing. */
const isSampled = (app: string, { beside = [] }: Observation) =>
  !/busy|pathname/.test(app) ||
  beside.length > 0 &&
    beside.every((own) => own !== null && own.asked > 0 && (own.wrong.length > 0 || !app.includes("busy")));

/** Loads one's own app on a runtime for a second, alone or beside itself, and gives what is said of its replies. */
async function said(runtime: string, app: string, requests: readonly string[], servers: 1 | 2 = 1) {
  return await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "app.js"), app);
    writeFileSync(join(folder, "ids.jsonl"), requests.join("\n"));
    const binary = await inspectRuntime(RUNTIME_NAMES.find((name) => name === runtime)!);
    const draft = draftOf(itemsGiven([["app", join(folder, "app.js")], ["requests", join(folder, "ids.jsonl")]]));
    const spec = await recordReplies(draft, process.cwd(), [binary], hostsHere(), () => {});
    const at = { app: "app", runtime: binary.label, connections: 50 };
    const equipment = await equip({ generator: "wrk", threads: null }, {}, [binary], hostsHere());
    const load = () =>
      observeOnce({
        suite: ownSuite(spec, process.cwd()),
        cells: [MAIN, AA].slice(0, servers).map((label) => ({ point: { suite: OWN, at }, label })),
        files: { ready: [], failed: null, directoryOf: () => undefined },
        drawSeed: 7,
        durationMs: 1_000,
        warmup: { kind: "fixed", ms: SETTLE_MS, loads: 1 },
        onStart: () => {},
      }, equipment);
    let line = await load();
    for (let n = 1; n < MOST_LOADS && !isSampled(app, line); n++) line = await load();
    const read = observationRecord.parse(JSON.parse(JSON.stringify(line)));
    assert.deepEqual(judgeLine(read, null).marks.filter(isOfReplies), line.marks.filter(isOfReplies), "judged again");
    const first = cellKey(line.members[0]!.cell);
    const marks = otherReplies(checkedLoads(sortLines([{ ...line, status: "ok" }]), first));
    return { line, text: marks[0]?.text, beside: line.beside?.[0] ?? null, marks: line.marks.filter(isOfReplies) };
  });
}

const isOfReplies = ({ code }: { readonly code: string }) => code === "no-right-reply";
const one = (path: string, more = {}) => JSON.stringify({ method: "GET", path, ...more });

for (const runtime of RUNTIME_NAMES) {
  toolTest(`on ${runtime} a short error with status 200 under load is named by its share and size`, async () => {
    const { text, line } = await said(runtime, pooled('new Response("pool exhausted")'), [one("/rows")]);
    assert.match(
      text ?? "",
      /^under load \d+ % of replies were 14 bytes, recorded 10 981; \d+ of \d+ sampled replies were wrong: GET \/rows: /,
      JSON.stringify({ ...line, latency: null }),
    );
  });

  toolTest(`on ${runtime} replies whose sizes differ by id, by kind and by chunks are no matter`, async () => {
    const requests = [
      one("/text/{id}", { weight: 3, draws: { id: { kind: "uniform", below: 100 } } }),
      one("/stream"),
      one("/none"),
    ];
    const { text, beside, line } = await said(runtime, VARIED, requests);
    assert.equal(text, undefined, JSON.stringify(line));
    // Four a second at most.
    assert.ok(beside!.asked > 0 && beside!.asked <= 1 + line.load!.duration_us / 250_000, JSON.stringify(beside));
    assert.equal(beside!.sent.length, 3);
  });
}

toolTest("an error of the very size of the right reply is found by samples", async () => {
  const same = pooled(
    'new Response(rows.replaceAll("Row", "Err"), { headers: { "content-type": "application/json" } })',
  );
  const { text } = await said("bun", same, [one("/rows")]);
  assert.match(text ?? "", /^under load \d+ of \d+ sampled replies were wrong: GET \/rows: /);
});

toolTest("a redirect that comes only under load is named by its status", async () => {
  const { text } = await said("node", pooled('new Response(null, { status: 302, headers: { location: "/login" } })'), [
    one("/rows"),
  ]);
  assert.match(text ?? "", /^under load \d+ % of replies were 0 bytes, .*sampled replies were 302, recorded 200$/);
});

toolTest(
  "a window is made longer for replies that take most of it, and those in flight at its end are counted in",
  async () => {
    const slow = `export default {
    fetch: async () => {
      await new Promise((done) => setTimeout(done, 700));
      return new Response("report");
    },
  };`;
    const { line, text } = await said("node", slow, [one("/report")]);
    const { requests, in_flight = 0, expected_reply_ms = 0, duration_us, requests_per_second } = line.load!;
    assert.ok(expected_reply_ms >= 700, JSON.stringify(line));
    assert.equal(windowMs(1_000, expected_reply_ms, 1), 6_000);
    assert.ok(duration_us >= 5_900_000, JSON.stringify(line));
    const counted = requests_per_second * duration_us / 1e6;
    assert.ok(Math.abs(counted - requests - in_flight) < 1e-3 * requests, `${counted}: ${JSON.stringify(line)}`);
    assert.equal(text, undefined);
  },
);

toolTest(
  "two servers that take turns have a window in which each has the time for enough replies, however slow they are",
  async () => {
    const slow = `export default {
    fetch() {
      let sum = 0;
      for (let n = 0; n < 3e6; n++) sum += Math.sqrt(n);
      return new Response(sum > 0 ? "report" : "none");
    },
  };`;
    const { line } = await said("node", slow, [one("/report")], 2);
    const plannedMs = windowTogetherMs({ ensemble_ms: 1_000 }, 2);
    const wantedMs = windowMs(plannedMs, line.load!.expected_reply_ms ?? 0, 2);
    assert.ok(wantedMs > plannedMs, JSON.stringify(line));
    assert.ok(line.counters!.share_window_ns! >= 1e6 * (wantedMs - 2), JSON.stringify(line));
  },
);

toolTest("each of two servers that take turns is sampled, and its replies are found wrong", async () => {
  const { text, line } = await said("bun", pooled('new Response("pool exhausted")'), [one("/rows")], 2);
  assert.match(text ?? "", /sampled replies were wrong: GET \/rows: /, JSON.stringify(line));
  assert.ok(line.beside!.every((own) => own !== null && own.asked > 0), JSON.stringify(line.beside));
});
