import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { mark } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import { createRandom } from "../basics/random.ts";
import { resultsText } from "../report/results-text.ts";
import { styleFor } from "../report/style.ts";

const { run, lines } = makeFixture({ stores: ["map"], sizes: [10_000, 100_000], together: "plan" });
const MIB = 2 ** 20;

type Change = (member: Observation["members"][number], line: Observation) => void;

/** The run with servers that held so much once they were loaded, by runtime, within 2 %; a quarter less before. */
function withMemory(
  mib: Readonly<Record<string, number>>,
  change: Change = () => {},
  plan: Partial<typeof run.plan> = {},
) {
  const random = createRandom(3);
  const made = structuredClone(lines);
  for (const line of made) {
    if (line.kind === "ceiling") continue;
    for (const member of line.members) {
      const loaded = Math.round(mib[String(member.cell.point.at["runtime"])]! * MIB * (0.98 + 0.04 * random()));
      member.memory = { started: Math.round(0.75 * loaded * (0.99 + 0.02 * random())), loaded };
      change(member, line);
    }
  }
  return filesOf({ run: { ...run, plan: { ...run.plan, ...plan } }, lines: made });
}

const HELD = { node: 131, deno: 131, bun: 100 };
const loadedOf = ({ summary }: ReturnType<typeof withMemory>) =>
  summary.memory!.find((one) => one.moment === "loaded")!;
const verdictsOf = (files: ReturnType<typeof withMemory>) =>
  loadedOf(files).families.flatMap(({ comparisons }) => comparisons).map((
    { over, under, verdict },
  ) => [over, under, verdict]);

test("memory is judged by moment, and told in one line after the answer", () => {
  const files = withMemory(HELD);
  assert.match(
    files.summary.answer.memory!,
    /^Memory after start: (node|deno) needs .* as much as bun; under load: (node|deno) needs 1\.(2|3)\d(?: to 1\.3\d)? ×, (node|deno) 1\.(2|3)\d(?: to 1\.3\d)? × as much as bun\.$/,
  );
  for (const [over, under, verdict] of verdictsOf(files)) {
    const [less, more] = [over, under].map((name) => name!.split("/")[0]);
    if (less === "bun" || more === "bun") assert.deepEqual([less, verdict], ["bun", "faster"]);
    else assert.notEqual(verdict, "faster");
  }
  const text = resultsText(files.run, files.summary, files.cells, [], {
    style: styleFor(false, {}),
    columns: 200,
    all: true,
  });
  assert.match(text, /memory after start +under load +p50/);
  assert.match(text, /bun needs less memory than node by 1\.[23]\d×/);
  assert.ok(text.includes(files.summary.answer.memory!));
});

test("a value that needs least at half of the places is not said to need least", () => {
  const more = (runtime: string, mib: number): Change => (member) => {
    const { at } = member.cell.point;
    if (at["runtime"] === runtime && at["size"] === 10_000) {
      member.memory!.loaded = Math.round(member.memory!.loaded * mib);
    }
  };
  const one = withMemory({ node: 100, deno: 100, bun: 100 }, more("bun", 0.5));
  assert.equal(one.summary.answer.memory, undefined);
  const both = withMemory({ node: 131, deno: 100, bun: 100 });
  assert.match(both.summary.answer.memory!, /under load: node needs [0-9.to ]+ × as much as deno or bun\.$/);
});

test("no more memory is told than verdicts prove: not of a leak, not beside a twin unlike its cell", () => {
  const isTwin: Change = (member) => {
    if (member.cell.label !== "main") member.memory!.loaded *= 3;
  };
  const unlike = withMemory(HELD, isTwin);
  assert.equal(loadedOf(unlike).noise_floor.kind, "different");
  assert.ok(verdictsOf(unlike).every(([, , verdict]) => verdict === "no-verdict"));
  assert.match(unlike.summary.answer.memory!, /^Memory after start: [^;]*$/);
  const leaks: Change = (member) => {
    if (member.cell.point.at["runtime"] !== "bun") return;
    member.sizes = Array.from({ length: 40 }, (_, n) => [n * 10_000, 1e8 + n * 2e7, 20]);
  };
  const leaking = withMemory(HELD, leaks);
  assert.match(leaking.summary.answer.memory!, /^Memory after start: [^;]* as much as bun\.$/);
  for (const [over, under, verdict] of verdictsOf(leaking)) {
    assert.equal(verdict === "no-verdict", `${over} ${under}`.includes("bun"), `${over} ${under}`);
  }
  assert.equal(withMemory({ node: 100, deno: 100, bun: 100 }).summary.answer.memory, undefined);
});

test("a voided observation says nothing of memory: others' use of the CPUs and a wrong answer void it", () => {
  const contended: Change = (_, line) => {
    line.marks = [mark("contended", "others used 30 % of the servers' cores")];
    line.status = "invalid";
  };
  const wrong: Change = (member) => void member.marks.push(mark("wrong-answer", "it answered 404"));
  assert.equal(withMemory(HELD, contended).summary.memory, undefined);
  assert.equal(withMemory(HELD, wrong).summary.memory, undefined);
});

test("nothing is said of processes that call a function, and of runs of earlier versions", () => {
  assert.equal(withMemory(HELD, undefined, { generator: "in-process" }).summary.memory, undefined);
  assert.equal(filesOf({ run, lines }).summary.memory, undefined);
});
