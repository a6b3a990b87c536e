/** Functions through a real benchmark: of a module of one's own, of a store, of a driver. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../bench/record/observation-record.ts";
import { bench, onSite, runsIn, type Site, toolTest } from "../run-bench.ts";

const SHORT = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone", "--json"];

/** Measures, verifies, and gives the lines: what others disturb is of no matter here. */
async function linesOf(site: Site, args: readonly string[]): Promise<Observation[]> {
  const ended = await bench(site, ["run", ...args, ...SHORT]);
  assert.ok(ended.stdout.startsWith("{"), ended.stderr);
  const name = runsIn(site).at(-1)!;
  const verified = await bench(site, ["verify", name]);
  assert.equal(verified.code, 0, verified.stdout);
  const journal = readFileSync(join(site.results, name, "journal.ndjson"), "utf8");
  return journal.trim().split("\n").map((line) => JSON.parse(line));
}

const codesOf = ({ marks, members }: Observation) =>
  [...marks, ...members.flatMap((own) => own.marks)].map(({ code }) => code);

toolTest("functions of a module are called on each runtime, and what they cost is counted", async () => {
  await onSite(async (site) => {
    writeFileSync(
      join(site.folder, "mine.mjs"),
      `export const inputs = [3, 5, 7];
       export const sum = (n) => { let all = 0; for (let k = 0; k < 1000; k++) all += k % n; return all; };
       export const later = async (n) => n;
       export const same = false;`,
    );
    const lines = await linesOf(site, ["--function", "./mine.mjs"]);
    assert.deepEqual(lines.map(({ kind }) => kind).filter((kind) => kind !== "solo"), []);
    assert.ok(lines.length >= 6, `${lines.length} lines`);
    for (const line of lines) {
      const { load, latency, bound, members: [member] } = line;
      const name = `${JSON.stringify(member!.cell.point.at)}: ${JSON.stringify(line.marks)}`;
      assert.ok(member!.requests === load!.requests && load!.requests > 0 && member!.cpu_ns_per_request! > 0, name);
      assert.deepEqual([load!.calls, latency, load!.reply_bytes], [true, null, null], name);
      assert.ok(["server", "neither"].includes(bound), name);
      assert.ok(line.beside![0]!.asked > 0 && line.beside![0]!.wrong.length === 0, name);
      assert.deepEqual(codesOf(line).filter((code) => code !== "contended" && code !== "clock-changed"), [], name);
    }
  });
});

toolTest("a function that gives something else under load is found", async () => {
  await onSite(async (site) => {
    writeFileSync(
      join(site.folder, "turns.mjs"),
      "let times = 0; export const turns = () => ++times > 5_000 ? 2 : 1;",
    );
    const [line] = await linesOf(site, ["--function", "./turns.mjs", "--runtime", "node"]);
    assert.ok(
      codesOf(line!).some((code) => code === "wrong-answer" || code === "no-right-reply"),
      JSON.stringify(line!.marks),
    );
  });
});

toolTest("a store's find and a driver's query are called in process", async () => {
  await onSite(async (site) => {
    const inProcess = ["--runtime", "node", "--generator", "in-process"];
    const [store] = await linesOf(site, ["users", "--store", "map", "--size", "1k", ...inProcess]);
    const [driver] = await linesOf(site, ["drivers", "--driver", "pg", ...inProcess]);
    for (const line of [store!, driver!]) {
      const [{ requests }] = line.members as [Observation["members"][number]];
      assert.ok(requests === line.load!.requests && requests > 0, JSON.stringify(line.marks));
      assert.deepEqual(codesOf(line).filter((code) => code !== "contended" && code !== "clock-changed"), []);
    }
    assert.ok(driver!.services![0]![0]!.counts!["queries"] !== 0);
  });
});
