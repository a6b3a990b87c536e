import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../tests/fixtures/simulation.ts";
import { judgeCell, workerMarks } from "./judge-cell.ts";
import type { Warmup } from "../record/observation-record.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { steady as judgeSlices } from "../statistics/steady.ts";
import type { OkSolo, Solo } from "./lines.ts";

const loadOf = (requests: number) =>
  ({ requests, requests_per_second: 50_000, connections: 50, sent_per_slot: [] }) as unknown as OkSolo["load"];

/** An observation nothing is to be said of. */
const one = (
  ended: "steady" | "most" | "planned",
  change: Partial<OkSolo> = {},
  kind: "flat" | "moving" | "unknown" = ended === "most" ? "moving" : "flat",
): OkSolo => ({
  load: loadOf(100_000),
  latency: null,
  counters: null,
  member: { warmup: { ended, duration_us: 12_100_000, steadiness: [kind], changes: [null] } as unknown as Warmup },
  ...change,
});
const codes = (ok: readonly OkSolo[], lost = 0) => judgeCell(ok, lost, null).map(({ code }) => code);
const [steady, most, planned] = [one("steady"), one("most"), one("planned")];

test("a cell that most warm-ups gave up on is not judged, one that half of them did is", () => {
  assert.deepEqual(codes([steady, steady, most]), []);
  assert.deepEqual(codes([steady, most]), [], "no more than half");
  assert.deepEqual(codes([steady, most, most]), ["never-steady"]);
  assert.deepEqual(codes([planned, planned]), [], "a length given by hand is not given up");
  const [found] = judgeCell([most], 0, null);
  assert.deepEqual([found!.effect, found!.text], ["withholds", "its cost was still changing after 12 s of warm-up"]);
  assert.deepEqual(codes([one("most", { member: { warmup: null } })]), []);
});

/** An observation whose window held so many replies of each connection, of which others in flight were counted in or not. */
const short = (each: number, in_flight?: number, at_rest: OkSolo["member"]["at_rest"] = []): OkSolo =>
  one("steady", {
    load: {
      ...loadOf(50 * each)!,
      duration_us: 2_000_000,
      requests_per_second: 25 * each,
      ...(in_flight === undefined ? {} : { in_flight }),
    },
    member: { warmup: null, ...(at_rest === undefined ? {} : { at_rest }) },
  });

test("a window of few replies says what of those in flight was counted in, or keeps verdicts back", () => {
  const [counted] = judgeCell([short(1, 33.3)], 0, null);
  assert.deepEqual([counted!.code, counted!.effect], ["in-flight-counted", "note"]);
  assert.equal(
    counted!.text,
    "a window held 1.0 × as many replies as connections: those in flight at its end are counted in, as 33",
  );
  const longest = short(3, 20);
  Object.assign(longest.load!, { expected_reply_ms: 4_000, duration_us: 12_000_000 });
  assert.match(judgeCell([longest], 0, null)[0]!.text, /^a window of 12 s, as long as one may be, held 3\.0 ×/);
  const [few] = judgeCell([short(2)], 0, null);
  assert.deepEqual([few!.code, few!.effect], ["few-replies", "withholds"]);
  assert.match(few!.text, /the rate is from 50\.0 to 75\.0 req\/s$/);
  assert.deepEqual(codes([short(5)]), []);
  assert.deepEqual(codes([{ ...short(2), member: { warmup: null } }]), [], "a line of an earlier version");
});

test("a warm-up given up for noise is told, and withholds nothing: nobody saw the cost change", () => {
  const noisy = one("most", {}, "unknown");
  const [found] = judgeCell([noisy, noisy], 0, null);
  assert.deepEqual([found!.code, found!.effect], ["noisy-warm-up", "note"]);
  assert.deepEqual(codes([noisy, most]), ["never-steady"], "one that was seen to change is enough");
});

/** A warm-up of 6 s that was given up: of a server that falls by a share a second, on a machine of two speeds 1.65 apart. */
function givenUp(fallPerSecond: number, random: Random): OkSolo {
  let slow = random() < 0.3;
  const curve = Array.from({ length: 60 }, (_, n) => {
    if (random() < (slow ? 0.14 : 0.07)) slow = !slow;
    return 30_000 * (slow ? 1.65 : 1) * Math.exp(0.08 * normal(random)) * (1 - fallPerSecond) ** (n / 10);
  });
  const { kind, change } = judgeSlices(curve.map((cost) => ({ requests: 1 / cost, cpu_ns: 1 })));
  const warmup = { ended: "most", duration_us: 6e6, steadiness: [kind], changes: [change] } as unknown as Warmup;
  return one("most", { member: { warmup } });
}

test("a machine that changes its speed makes few servers never steady, in however many rounds; one that falls is found", () => {
  const seed = 31;
  const random = createRandom(seed);
  const share = (rounds: number, fallPerSecond: number) => {
    const cells = Array.from(
      { length: 200 },
      () => Array.from({ length: rounds }, () => givenUp(fallPerSecond, random)),
    );
    const movingOnce =
      cells.filter((each) => each.some(({ member }) => member.warmup!.steadiness.includes("moving"))).length;
    return {
      never: cells.filter((each) => codes(each).includes("never-steady")).length / 200,
      movingOnce: movingOnce / 200,
    };
  };
  for (const rounds of [3, 6, 14]) {
    const { never } = share(rounds, 0);
    assert.ok(never <= 0.12, `seed ${seed}: ${never} of cells that stood still, ${rounds} rounds`);
  }
  assert.ok(share(14, 0).movingOnce > 0.9, "what one round shows the machine shows in nearly every run");
  const { never } = share(14, 0.12);
  assert.ok(never >= 0.9, `seed ${seed}: ${never} of cells that fell by 12 % a second`);
  const [found] = judgeCell(Array.from({ length: 14 }, () => givenUp(0.2, random)), 0, null);
  assert.match(found!.text, /^its cost still fell by [23]\d(\.\d)? % after 6\.0 s of warm-up$/);
});

test("rounds that are lost are told and held against nothing, and where all are lost the status says so", () => {
  assert.deepEqual(codes([steady, steady]), []);
  const [found] = judgeCell([steady, steady, steady, steady, steady], 1, null);
  assert.deepEqual([found!.code, found!.effect, found!.text], ["rounds-lost", "note", "1 of 6 rounds are lost"]);
  assert.deepEqual(codes([], 6), []);
});

test("connections that wait for the generator are told beyond the limit of Little's law, and held against nothing", () => {
  const at = (gap: number, requests = 100_000) =>
    one("steady", { load: loadOf(requests), latency: { littles_law_gap: gap } as OkSolo["latency"] });
  assert.deepEqual(codes([at(-0.019)]), []);
  assert.deepEqual(codes([at(0.019)]), []);
  const [found] = judgeCell([at(-0.07)], 0, null);
  assert.deepEqual([found!.code, found!.effect, found!.text], [
    "generator-wait",
    "note",
    "connections waited 7.0 % of the time for the generator",
  ]);
  assert.deepEqual(codes([at(-0.07), at(-0.01), at(-0.01)]), [], "the middle one counts");
  assert.deepEqual(codes([at(-0.07, 4_999)]), [], "too few requests a connection to tell");
  assert.deepEqual(codes([at(-0.07, 5_000)]), ["generator-wait"]);
});

test("a cell that is named after a runtime and was served by another one is marked", () => {
  const served = (name: string) =>
    one("steady", {
      member: {
        ...steady.member,
        cell: { point: { suite: "own", at: { app: "bun" } }, label: "main" },
        server: { served: [{ name, version: "20.1.0", sha256: null, from: "path" }] } as unknown as NonNullable<
          OkSolo["member"]["server"]
        >,
      },
    });
  assert.deepEqual(codes([served("bun")]), []);
  assert.deepEqual(codes([served("bun"), served("node")]), ["other-runtime"]);
});

test("a rate near the most its services can answer is kept from verdicts, and what the generator takes of their core counts", () => {
  const beside = (service_share: number | null, generator_share: number, load_core_share?: number) =>
    one("steady", { counters: { service_share, generator_share, load_core_share } as unknown as OkSolo["counters"] });
  assert.deepEqual(codes([beside(0.89, 0.95), beside(0.89, 0.95), beside(0.99, 0.95)]), []);
  assert.deepEqual(codes([beside(0.91, 0.3)]), ["near-service-ceiling"]);
  assert.deepEqual(codes([beside(0.48, 0.43, 0.91)]), [], "0.48 of the 0.57 that are left");
  const [near] = judgeCell([beside(0.5, 0.47, 0.97)], 0, null);
  assert.deepEqual([near!.effect, near!.text], ["withholds", "at 94.3 % of what the service beside it can do"]);
  assert.deepEqual(codes([beside(null, 0.9), beside(0, 1, 1)]), [], "unknown, and at rest");
});

test("a cell of a protocol that has no ceiling is held against how busy the generator was", () => {
  const spoken = (protocol: string, generator_share: number) =>
    one("steady", {
      counters: { generator_share } as unknown as NonNullable<OkSolo["counters"]>,
      member: { ...steady.member, cell: { label: "main", point: { suite: "a", at: { protocol } } } },
    });
  assert.deepEqual(codes([spoken("https", 0.93)]), ["near-ceiling"]);
  assert.deepEqual(codes([spoken("h2", 0.89)]), []);
  assert.deepEqual(codes([spoken("http", 0.99)]), [], "that one's ceiling was measured");
  const unplanned = (one: OkSolo) => judgeCell([one], 0, undefined).map(({ code }) => code);
  assert.deepEqual(unplanned(spoken("http", 0.93)), ["near-ceiling"], "its connections are new");
  const against = (share: number, busy: number) => {
    const fast = spoken("http", busy);
    const perSecond = fast.load!.requests_per_second / share;
    return judgeCell([fast], 0, { perSecond, bound: "server" }).map(({ code }) => code);
  };
  assert.deepEqual(against(0.84, 0.95), [], "the generator reached more");
  assert.deepEqual(
    against(1.05, 0.93),
    ["near-ceiling"],
    "it hardly could where the server that does nothing was the limit",
  );
  assert.deepEqual(against(1.05, 0.89), []);
  const atRate = spoken("http", 0.93);
  const load = { ...atRate.load!, offered_per_second: 9 };
  assert.deepEqual(unplanned({ ...atRate, load }), [], "how late it was says that at a rate");
});

const solo = (...counts: (number | null)[]) =>
  ({
    load: { connections: 50 },
    workers: { by: "reuse-port", requests: 10_000, cpu_ns: 1, each: counts.map((requests) => ({ requests })) },
  }) as unknown as Solo;
const workerCodes = (...marks: Parameters<typeof workerMarks>) => workerMarks(...marks).map(({ code }) => code);

test("workers that counted what was sent are sound, but for one request in flight on each connection", () => {
  assert.deepEqual(workerCodes([solo(6_000, 4_050), solo(5_000, 4_850)], 2, null), []);
  assert.deepEqual(workerCodes([solo(6_000, 3_800)], 2, null), ["workers-unsound"]);
  assert.deepEqual(workerCodes([solo(6_000, null)], 2, null), [], "what cannot be counted says nothing");
});

test("more workers than cores are marked with how many there were", () => {
  const [found] = workerMarks([], 4, 1);
  assert.deepEqual([found!.code, found!.effect], ["workers-crowded", "withholds"]);
  assert.match(found!.text, /^4 workers had 1 core:/);
});
