/** A published run repeated, as a stranger would. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runRecord } from "../bench/core/result/run-record.ts";
import { assertNoDigitOnDiskIsFree } from "./digits.ts";
import { bench, benchTest, onSite, runsIn, type Site } from "./run-bench.ts";

const SHORT = ["--size", "1k", "--rounds", "1", "--duration", "1s", "--warmup", "1s", "--seed", "11"];

/** What is published, and how many lines its one round has. */
interface Published {
  readonly args: readonly string[];
  readonly lines: number;
  readonly why: string;
}

const ALONE: Published = {
  args: ["run", "--runtime", "deno,bun", "--store", "map"],
  lines: 4,
  why: "ceiling, two cells, one of them again",
};
const TOGETHER: Published = {
  args: ["duet", "deno/map", "bun/map"],
  lines: 1,
  why: "the two and one of them again, at once",
};

/** Measures a run, then measures it again by its own plan; gives the folder of the first. */
async function assertMeasuredAgain(site: Site, { args, lines, why }: Published): Promise<string> {
  const first = await bench(site, [...args, ...SHORT]);
  assert.ok(first.code === 0 || first.code === 3, first.stderr);
  const [published] = runsIn(site) as [string];
  const again = await bench(site, ["reproduce", published, "--json"]);
  assert.equal(again.code, 3, "one round proves nothing");
  const { reproduced, sentence, verdicts, environment } = JSON.parse(again.stdout);
  assert.equal(reproduced, false);
  // How busy the machine was, which the grade tells, is its own affair.
  assert.deepEqual(environment.filter((text: string) => !text.startsWith("grade: ")), []);
  assert.match(sentence, /^Nothing could be compared: /);
  assert.deepEqual(verdicts.map(({ outcome }: { outcome: string }) => outcome), ["unknown"]);
  const [plan, repeated] = runsIn(site).map((name) =>
    runRecord.parse(JSON.parse(readFileSync(join(site.results, name, "run.json"), "utf8"))).plan
  );
  assert.deepEqual(repeated, plan);
  const names = runsIn(site);
  const made = names.map((name) =>
    readFileSync(join(site.results, name, "journal.ndjson"), "utf8").trim().split("\n").length
  );
  assert.deepEqual(made, [lines, lines], why);

  const held = await bench(site, ["reproduce", names[0]!, "--with", names[1]!]);
  assert.equal(held.code, 3, held.stderr);
  assert.match(held.stdout, /^(The environments are the same\.|Their environments differ in .*)$/m);
  assert.ok(held.stdout.endsWith(`${sentence}\n`), held.stdout);
  return join(site.results, published);
}

benchTest(
  "a published run of cells alone is measured again by its own plan, without verdicts it is not called reproduced, " +
    "and a changed digit anywhere in what it publishes, or in its raw lines, is found",
  async () => {
    await onSite(async (site) => {
      const path = await assertMeasuredAgain(site, ALONE);
      const verified = await bench(site, ["verify", path]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      assertNoDigitOnDiskIsFree(path);

      const journal = readFileSync(join(path, "journal.ndjson"), "utf8");
      writeFileSync(join(path, "journal.ndjson"), journal.slice(0, -30));
      const cut = await bench(site, ["verify", path]);
      assert.equal(cut.code, 3);
      assert.match(cut.stdout, /half a line/);
      const run = readFileSync(join(path, "run.json"), "utf8");
      writeFileSync(join(path, "run.json"), run.replace(/levelfield\.run\/\d+/, "levelfield.run/9"));
      const newer = await bench(site, ["shape", path]);
      assert.equal(newer.code, 1);
      assert.match(newer.stderr, /version "levelfield\.run\/9"/);
    });
  },
);

benchTest(
  "a published run of servers together is measured again by its own plan, and without verdicts it is not called reproduced",
  async () => {
    await onSite(async (site) => void await assertMeasuredAgain(site, TOGETHER));
  },
);

benchTest("a run that is not there cannot be reproduced, and is named", async () => {
  await onSite(async (site) => {
    const absent = await bench(site, ["reproduce", "no-such-run"]);
    assert.equal(absent.code, 2, absent.stderr);
    assert.match(absent.stderr, /^error: there is no run "no-such-run"/);
  });
});
