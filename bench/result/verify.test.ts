import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeWarmup } from "../judge/judge-warm-up.ts";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { AXIS } from "../../tests/fixtures/rate-run.ts";
import type { Summary } from "../record/summary.ts";
import type { Observation, Window } from "../record/observation-record.ts";
import { publish } from "./published.ts";
import { faultsOfRun, publishedFaults } from "./verify.ts";
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

test("a rate, a bound and latencies of one server alone cannot be forged in a line of several", () => {
  const alone = (line: Observation) => line.members[1]!.alone!;
  assertFound(shared, (line) => alone(line).load!.requests_per_second *= 1.1, /rate is not requests by time/);
  assertFound(shared, (line) => {
    alone(line).load!.requests_per_second *= 1.1;
    alone(line).load!.requests = Math.round(alone(line).load!.requests * 1.1);
  }, /figures say "histogram-broken"/);
  assertFound(shared, (line) => alone(line).bound = "neither", /what limited it does not follow from its counters/);
  assertFound(shared, (line) => alone(line).load!.errors.timeout = 1, /figures say "timeouts"/);
  assertFound(shared, (line) => alone(line).counters!.server_cpu_ns! *= 2, /CPU per request is not CPU by requests/);
});

test("what limited a load follows from its counters, the generator's ceiling too", () => {
  assertFound(ceiling, (line) => line.bound = "server", /what limited it does not follow from its counters/);
  assertFound(shared, (line) => {
    line.counters!.server_share = 0.5;
    line.counters!.server_thread_share = 0.5;
  }, /what limited it does not follow/);
});

test("a warm-up is not called steady whose curves were not, or that has none, nor one that was not planned so", () => {
  const warmup = (line: Observation) => line.members[0]!.warmup!;
  assertFound(shared, (line) => warmup(line).ended = "steady", /warm-up ended "steady" and is fixed in the plan/);
  assertFound(shared, (line) => line.warmup!.ended = "steady", /warm-up ended "steady"/);
  assertFound(shared, (line) => {
    Object.assign(warmup(line), { ended: "steady", steadiness: ["moving"] });
  }, /called steady whose cost was not/);
  assertFound(shared, (line) => {
    Object.assign(warmup(line), { ended: "steady", steadiness: ["flat"] });
  }, /not what its slices show/);
  assertFound(shared, (line) => warmup(line).steadiness.push("flat"), /warm-up lacks the slices/);
  assertFound(shared, (line) => line.warmup!.slices!.pop(), /warm-up lacks the slices/);
});

test("a warm-up that was steady in a run planned so is no fault, and one said to be planned is", () => {
  const plan = { ...run.plan, warmup: { kind: "steady" as const, most_ms: 12_000 } };
  const steadyRun = { ...run, plan };
  const settled = structuredClone(lines);
  const warmups = settled.flatMap((line) => [line.warmup, ...line.members.map((member) => member.warmup)]);
  for (const [n, warmup] of warmups.entries()) {
    if (warmup === null) continue;
    warmup.ended = "steady";
    warmup.requests = 50_000;
    const share = 9 * warmup.slices!.length;
    const slice = (): [number, number] => [Math.floor(5e4 / share), Math.floor(900 * warmup.duration_us / share) + n];
    warmup.slices = warmup.slices!.map(() => Array.from({ length: 9 }, slice));
    warmup.judged_slices = 9;
    warmup.steadiness = warmup.slices.map(() => "flat");
    const judged = warmup.slices.map((own) => own.map(([requests, cpuNs]) => ({ requests, cpuNs })));
    warmup.changes = judgeWarmup(judged).map(({ change }) => change);
  }
  const told = () =>
    faultsOfRun({ run: steadyRun, lines: settled, published: new Map() }).filter((text) => /warm/.test(text));
  assert.deepEqual(told(), []);
  // Beside the others it is enough that no server was seen to change.
  settled[shared]!.warmup!.slices = null;
  settled[shared]!.warmup!.why_no_slices = "an earlier version";
  settled[shared]!.warmup!.steadiness[0] = "unknown";
  assert.deepEqual(told(), []);
  settled[shared]!.warmup!.steadiness[0] = "moving";
  assert.equal(told().length, 1);
  settled[shared]!.warmup!.ended = "planned";
  assert.equal(told().length, 1);
});

test("replies that the wire did not carry, or that cost nothing, are a lie unless the line says so itself", () => {
  const wire = (line: Observation) => {
    line.counters!.loopback_bytes = line.load!.reply_bytes! - 1;
    delete line.counters!.unreadable["loopback_bytes"];
  };
  assertFound(shared, wire, /figures say "claim-contradicted"/);
  assertFound(
    shared,
    (line) => line.members[0]!.alone!.counters!.loopback_bytes = 5,
    /figures say "claim-contradicted"/,
  );
  assertFound(ceiling, (line) => {
    line.counters!.server_cpu_ns = 100 * line.load!.requests;
    line.counters!.server_cpu_ns_per_request = 100;
  }, /figures say "claim-contradicted"/);
  const admitted = faultsWith(shared, (line) => {
    wire(line);
    line.marks = [mark("claim-contradicted", "the wire carried less")];
    line.status = "invalid";
  });
  assert.deepEqual(admitted, []);
});

test("latencies that are not the requests' are a lie unless the line says so itself", () => {
  const lose = (line: Observation) => {
    for (const own of [line, ...line.members.map(({ alone }) => alone!)]) own.latency?.histogram.pop();
  };
  assertFound(shared, lose, /figures say "histogram-broken"/);
  const message = "the latency histogram holds less";
  const faults = faultsWith(shared, (line) => {
    lose(line);
    for (const { alone } of line.members) alone!.marks = [mark("histogram-broken", message)];
  });
  assert.deepEqual(faults.filter((text) => /histogram/.test(text)), []);
});

test("a step that stands twice is named, not fallen over", () => {
  const twice = [...lines, lines[shared]!];
  const faults = faultsOfRun({ run, lines: twice, published: new Map() });
  assert.equal(faults[0], `step ${lines[shared]!.index} stands twice in journal.ndjson`);
});

test("a rate that was not kept cannot be called ok", () => {
  const place = lines.findIndex(({ kind }) => kind !== "ceiling");
  assertFound(
    place,
    (line) => line.load!.offered_per_second = 2 * line.load!.requests_per_second,
    /figures say "rate-not-kept"/,
  );
});

test("what a run says of latency follows from its lines; one of an earlier version lacks what came later", () => {
  const windowsOf = (us: number) =>
    [{
      ...{ at: { rate: "common", clock: "due" }, per_second: 700, marks: [], bound: "server" },
      load: { requests_per_second: 700, connections: 50, dropped: 0 },
      latency: { histogram: [], percentiles: [[0.5, us / 2], [0.99, us], [0.999, 2 * us]] },
    }] as unknown as Window[];
  const made = makePlausible({ runtimes: ["node", "bun"], stores: ["map"], sizes: [10_000], rounds: 8 });
  const rates = { ...made.run, plan: { ...made.run.plan, further: AXIS } };
  const own = made.lines.map((line) =>
    line.kind === "solo" && line.round < 6
      ? { ...line, windows: windowsOf(line.members[0]!.cell.point.at["runtime"] === "bun" ? 1e3 : 9e3) }
      : line
  );
  const { files } = publish(rates, own);
  const faultsOf = (change: (summary: Summary) => void) => {
    const published = new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(files)))));
    change(published.get("summary.json") as Summary);
    return publishedFaults({ run: rates, lines: own, published });
  };
  assert.deepEqual(
    faultsOf(({ latency_between: between }) => assert.ok(between!.pairs.some(({ says }) => says === "waits-less"))),
    [],
  );
  assert.deepEqual(
    faultsOf((summary) => {
      delete summary.latency_between;
      for (const cell of summary.latency!) delete cell.claim;
    }),
    [],
  );
  const found = (change: (summary: Summary) => void, fault: RegExp) => assert.match(faultsOf(change)[0] ?? "", fault);
  found(
    ({ latency_between: between }) => between!.pairs[0]!.less.windows = 60,
    /latency_between\.pairs\.0\.less\.windows/,
  );
  found(({ latency_between: between }) => between!.sentences[0] = "bun waits less", /latency_between\.sentences\.0/);
  found(({ latency }) => latency!.at(-1)!.claim!.waits!.windows = 60, /latency\.\d\.claim\.waits\.windows/);
  found((summary) => delete (summary as Partial<Summary>).latency, /latency: nothing -> /);
});

test("how sure the ratio of a step is is not missed in an earlier summary, and held against the rounds elsewhere", () => {
  const { run, lines } = makeOddFixture();
  const { files } = publish(run, lines);
  const faultsOf = (change: (row: Summary["steps"][number]["rows"][number]) => void) => {
    const published = new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(files)))));
    (published.get("summary.json") as Summary).steps.flatMap(({ rows }) => rows).forEach(change);
    return publishedFaults({ run, lines, published });
  };
  assert.deepEqual(faultsOf((row) => delete row.over_first_interval), []);
  const wider = faultsOf(({ over_first_interval: ends }) => ends !== undefined && (ends[1] *= 2));
  assert.match(wider[0] ?? "", /steps\.\d+\.rows\.\d+\.over_first_interval/);
});

test("memory after a rest is told where a rest was planned, and none is more than the machine's", () => {
  const told = (memory: NonNullable<Observation["members"][number]["memory"]>) => (line: Observation) => {
    line.members[0]!.memory = memory;
  };
  assert.deepEqual(faultsWith(shared, told({ started: 1e6, loaded: 2e6 })), []);
  assertFound(shared, told({ started: 1e6, loaded: 2e6, rested: 2e6 }), /rested without a plan, or did not/);
  assertFound(shared, told({ started: 1e6, loaded: 2e15 }), /had more memory than the machine/);
});
