/** Functions through a real benchmark: one that changes its result, and one of a driver. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../bench/record/observation-record.ts";
import { bench, runsIn, type Site, siteTest } from "../run-bench.ts";

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

siteTest("a function that gives something else under load is found", async (site) => {
  writeFileSync(join(site.folder, "turns.mjs"), "let times = 0; export const turns = () => ++times > 5_000 ? 2 : 1;");
  const [line] = await linesOf(site, ["--function", "./turns.mjs", "--runtime", "node"]);
  assert.ok(
    codesOf(line!).some((code) => code === "wrong-answer" || code === "no-right-reply"),
    JSON.stringify(line!.marks),
  );
});

siteTest("a driver's query is called in process", async (site) => {
  const words = ["drivers", "--driver", "pg", "--runtime", "node", "--generator", "in-process"];
  const [line] = await linesOf(site, words);
  const [{ requests }] = line!.members as [Observation["members"][number]];
  assert.ok(requests === line!.load!.requests && requests > 0, JSON.stringify(line!.marks));
  assert.deepEqual(codesOf(line!).filter((code) => code !== "contended" && code !== "clock-changed"), []);
  assert.ok(line!.services![0]![0]!.counts!["queries"] !== 0);
});
