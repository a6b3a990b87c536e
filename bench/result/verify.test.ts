import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNoDigitIsFree } from "../../tests/digits.ts";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { makePlausible, plausible } from "../../tests/fixtures/plausible-run.ts";
import { KNEE, makeRatedRun } from "../../tests/fixtures/rate-run.ts";
import type { Summary } from "../record/summary.ts";
import type { Observation } from "../record/observation-record.ts";
import { publish } from "./published.ts";
import { faultsOfRun, publishedFaults, rawFaults } from "./verify.ts";
import { mark } from "../record/mark.ts";

const { run, lines } = makePlausible({
  runtimes: ["node", "bun"],
  stores: ["map"],
  sizes: [10_000],
  rounds: 2,
  together: "plan",
});
const shared = lines.findIndex(({ kind }) => kind === "ensemble");
const ceiling = lines.findIndex(({ kind }) => kind === "ceiling");

/** What is found in a journal of which one line was changed, and everything published anew to agree with it. */
function faultsWith(place: number, change: (line: Observation) => void): string[] {
  const changed = structuredClone(lines);
  change(changed[place]!);
  const files = [...publish(run, changed).files].map(([file, value]) =>
    [file, JSON.parse(JSON.stringify(value))] as const
  );
  return faultsOfRun({ run, lines: changed, published: new Map(files) });
}

const assertFound = (place: number, change: (line: Observation) => void, fault: RegExp) => {
  const faults = faultsWith(place, change);
  assert.ok(faults.some((text) => fault.test(text)), `${fault}: ${faults.join("; ")}`);
};

test("an untouched journal has no fault, whatever was measured alone in it", () => {
  assert.deepEqual(faultsWith(shared, () => {}), []);
  assert.ok(lines[shared]!.members.every(({ alone }) => alone !== null));
});

test("made-up runs follow from their plans and lines, and no digit they publish can change unseen", () => {
  for (
    const made of [
      makePlausible({ stores: ["map"], sizes: [10_000], together: "all" }),
      plausible(makeOddFixture({ rounds: 1 })),
    ]
  ) {
    const files = [...publish(made.run, made.lines).files];
    const published = new Map<string, unknown>(files.map(([file, value]) => [file, JSON.parse(JSON.stringify(value))]));
    const evidence = { ...made, published };
    assert.deepEqual(faultsOfRun(evidence), []);
    assertNoDigitIsFree({ ...evidence, published: new Map([...published].slice(0, 2)) });
  }
});

// tests/forgeries.test.ts forges the other figures and marks of lines, loads and members.
test("what follows from other figures cannot be forged, in a line, its members and what they did alone", () => {
  const cases: [number, string, (line: Observation) => void][] = [
    [ceiling, "members.0.requests", ({ members }) => members[0]!.requests!++],
    [shared, "bound", ({ counters }) => Object.assign(counters!, { server_share: 0.5, server_thread_share: 0.5 })],
    [shared, "members.1.cpu_ns_per_request", ({ members }) => members[1]!.cpu_ns_per_request!++],
    [shared, "members.0.warmup.ended", ({ members }) => members[0]!.warmup!.ended = "steady"],
    [shared, "members.0.warmup.steadiness.0", ({ members }) => members[0]!.warmup!.steadiness = ["flat"]],
    [shared, "warmup.changes.1", ({ warmup }) => warmup!.changes[1] = 0.01],
  ];
  for (const [place, path, change] of cases) {
    assertFound(place, change, new RegExp(`^step \\d: it does not follow from its other figures: ${path}: `));
  }
  const more = /^step \d: it says "contended", and its figures do not$/;
  assertFound(shared, ({ members }) => members[0]!.alone!.marks = [mark("contended", "others used it")], more);
});

test("a line that says by itself that its figures cannot be is believed", () => {
  const change = (line: Observation) => {
    line.counters!.loopback_bytes = line.load!.reply_bytes! - 1;
    delete line.counters!.unreadable["loopback_bytes"];
  };
  assertFound(shared, change, /figures say "claim-contradicted", .* more bytes than the wire carried/);
  const admitted = (line: Observation) => {
    change(line);
    Object.assign(line, { marks: [mark("claim-contradicted", "the wire carried less")], status: "invalid" });
  };
  assert.deepEqual(faultsWith(shared, admitted), []);
});

test("what a run along rates says follows from its lines, and its windows are judged again", () => {
  const p99Us = (perSecond: number, runtime: string) => perSecond > KNEE ? 50_000 : runtime === "bun" ? 700 : 7_000;
  const { run: rates, lines: rated, files } = makeRatedRun({ runtimes: ["node", "bun"], p99Us });
  const faultsOf = (change: (summary: Summary) => void) => {
    const published = new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(files)))));
    change(published.get("summary.json") as Summary);
    return publishedFaults({ run: rates, lines: rated, published });
  };
  const isProven = ({ open_loop: loop }: Summary) =>
    assert.ok(loop!.rates.some(({ p99 }) => p99.some(({ verdict }) => verdict === "faster")));
  assert.deepEqual(faultsOf(isProven), []);
  assert.deepEqual(rawFaults(rates, rated), []);
  const found = (change: (summary: Summary) => void, fault: RegExp) => assert.match(faultsOf(change)[0] ?? "", fault);
  found(({ open_loop: loop }) => loop!.rates[0]!.p99[0]!.over = "deno", /open_loop\.rates\.0\.p99\.0\.over/);
  found(({ open_loop: loop }) => loop!.sentences[0] = "bun waits less", /open_loop\.sentences\.0/);
  found(({ latency }) => latency!.at(-1)!.knee!.per_second = 60, /latency\.\d\.knee\.per_second/);
  found((summary) => delete (summary as Partial<Summary>).latency, /latency: nothing -> /);
  const changed = structuredClone(rated);
  const load = changed[0]!.windows![0]!.load!;
  load.offered_per_second = 2 * load.requests_per_second;
  assert.match(rawFaults(rates, changed)[0]!, /^step 0: its figures say "rate-not-kept", and it does not/);
});

test("how sure the ratio of a step is follows from the rounds", () => {
  const { run, lines } = makeOddFixture();
  const { files } = publish(run, lines);
  const faultsOf = (change: (row: Summary["steps"][number]["rows"][number]) => void) => {
    const published = new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(files)))));
    (published.get("summary.json") as Summary).steps.flatMap(({ rows }) => rows).forEach(change);
    return publishedFaults({ run, lines, published });
  };
  const wider = faultsOf(({ over_first_interval: ends }) => ends !== undefined && (ends[1] *= 2));
  assert.match(wider[0] ?? "", /steps\.\d+\.rows\.\d+\.over_first_interval/);
  assert.match(faultsOf((row) => delete row.over_first_interval)[0] ?? "", /over_first_interval: nothing -> /);
});
