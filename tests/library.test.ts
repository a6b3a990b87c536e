/** The library at work: runs from a program, what they tell, how they are stopped and refused. */
import assert from "node:assert/strict";
import { BenchError, measurePoint, type Plan, plan, readRun, run, type RunEvent, verify } from "../mod.ts";
import { benchHere } from "./command-line.ts";
import { keptPids } from "./kept-service.ts";
import { suite } from "./fixtures/resting-suite.ts";
import { descendantsOf, type Site, siteTest } from "./run-bench.ts";

/** Two rounds of one cell, without its twin, as short as can be. */
async function smallPlan(): Promise<Plan> {
  const made = await plan(suite, { rounds: 2, durationMs: 1_000, warmupMs: 1_000, alone: true, seed: 7 });
  const [solo] = made.solo;
  return {
    ...made,
    warmup: { kind: "fixed", ms: 200, loads: 1 },
    ...{ cells: made.cells.slice(0, 1), solo: [solo!], ceilings: [] },
  };
}

const folders = ({ results, data }: Site) => ({ results, data, suite });

async function eventsOf(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Processes this one has started and that still run, without services that other tests keep. */
function children() {
  const kept = keptPids().flatMap((pid) => [pid, ...descendantsOf(pid).map((each) => each.pid)]);
  return descendantsOf(process.pid).filter(({ pid }) => !kept.includes(pid));
}

siteTest("a run tells each step as it is made, and leaves what the command line leaves", async (site) => {
  const made = await smallPlan();
  const events = await eventsOf(run(made, folders(site)));
  const last = events.at(-1)!;
  assert.ok(last.kind === "ended");
  const { folder, run: record, made: steps, planned } = last.result;
  assert.equal(record.state, "finished");
  assert.equal(steps, planned);
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== "warning" && kind !== "preparing");
  const round = Array.from({ length: planned / 2 }, () => ["progress", "observation"]).flat();
  assert.deepEqual(kinds, ["begun", ...round, "answer", ...round, "ended"]);
  assert.deepEqual(events.flatMap((event) => event.kind === "answer" ? event.answer.rounds : []), [1]);
  assert.deepEqual(verify(folder).faults, []);
  assert.deepEqual((await benchHere(site, ["verify", folder])).code, 0);
  assert.deepEqual(children(), []);
  assert.ok(readRun(folder).run.levelfield.version.length > 0);
  for (const { load, marks } of readRun(folder).lines) assert.ok(load!.requests > 0, JSON.stringify(marks));
});

siteTest("an abort keeps what was made, ends everything on all hosts, and the run goes on later", async (site) => {
  const made = await smallPlan();
  const stop = new AbortController();
  const events: RunEvent[] = [];
  const hosts = { server: "env SIDE=server" };
  for await (const event of run(made, { ...folders(site), hosts, signal: stop.signal })) {
    events.push(event);
    if (event.kind === "observation") stop.abort();
  }
  const last = events.at(-1)!;
  assert.ok(last.kind === "ended");
  assert.equal(last.result.run.state, "interrupted");
  assert.equal(last.result.made, 1);
  assert.deepEqual(children(), []);
  await assert.rejects(eventsOf(run(made, { ...folders(site), signal: stop.signal })), { name: "AbortError" });

  const resume = readRun(last.result.folder);
  assert.equal(resume.lines.length, 1);
  const rest = await eventsOf(run(made, { ...folders(site), resume }));
  const end = rest.at(-1)!;
  assert.ok(end.kind === "ended");
  assert.equal(end.result.run.state, "finished");
  assert.equal(end.result.folder, last.result.folder);
  assert.equal(end.result.run.hosts?.server, hosts.server);
  assert.deepEqual(children(), []);
  assert.deepEqual(rest.find(({ kind }) => kind === "begun"), {
    kind: "begun",
    folder: end.result.folder,
    made: 1,
    planned: end.result.planned,
  });
  assert.deepEqual(verify(end.result.folder).faults, []);
});

siteTest("leaving the loop stops the run; meanwhile a second one is refused in words", async (site) => {
  const made = await smallPlan();
  let folder = "";
  for await (const event of run(made, folders(site))) {
    if (event.kind === "begun") folder = event.folder;
    if (event.kind !== "progress") continue;
    const refused = (error: unknown) => {
      assert.ok(error instanceof BenchError);
      assert.equal(error.message, "this process is measuring already, and two runs at once would measure each other");
      return true;
    };
    await assert.rejects(eventsOf(run(made, folders(site))), refused);
    await assert.rejects(measurePoint({ suite }), refused);
    break;
  }
  assert.equal(readRun(folder).run.state, "interrupted");
  assert.deepEqual(children(), []);
  const after = await measurePoint({ suite, durationMs: 1_000, warmupMs: 200 });
  assert.equal(after.kind, "solo", "the machine was given back");
  assert.ok(after.load!.requests > 0, JSON.stringify(after.marks));
});
