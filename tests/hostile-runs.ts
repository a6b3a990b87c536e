/** What must come of hostile runs, however many are tried. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { layBaits } from "../lab/hostile/baits.ts";
import type { HostilePlan } from "../lab/hostile/hostile-plans.ts";
import type { Judged } from "../lab/hostile/judge-mutated.ts";
import type { CommandOutcome } from "../lab/hostile/show-hostile.ts";
import { tryHostile } from "../lab/hostile/try-hostile.ts";
import { patiently, printedBy } from "./patience.ts";
import { tryPlans } from "../lab/hostile/try-plans.ts";
import { inTemporaryFolder } from "./testing.ts";

const NODE = locateRuntime("node").file;
const lab = (name: string) => fileURLToPath(new URL(`../lab/hostile/${name}`, import.meta.url));

/** CPU time for a run over that for one that holds: a journal of 64 MiB has 500 times its bytes. */
const MOST_TIMES = 200;

/** Shows one of so many hostile runs by every command; nothing they name is started, loaded, asked or read. */
export const assertNothingDone = (every: number, least: number) =>
  inTemporaryFolder(async (folder) => {
    assertWatched(join(folder, "watch"));
    const { runs, done, leaks, shown, end } = await tryHostile(folder, every);
    assert.ok(runs >= least, `${runs} runs`);
    assert.match(end, /^exit 0: /);
    assert.deepEqual(done, []);
    assert.deepEqual(leaks, []);
    const commands = new Set(shown.map(({ args }) => args[0]));
    assert.deepEqual(commands, new Set(["verify", "show", "report", "compare"]));
    for (const command of commands) {
      const codes = shown.filter(({ args }) => args[0] === command).map(({ code }) => code);
      assert.ok(codes.every((code) => [0, 1, 2, 3].includes(code)), `${command}: ${codes}`);
    }
    // What reaches everything is shown, too: else nothing would have been tried.
    assert.ok(shown.filter(({ args, code }) => args[0] === "report" && code === 0).length > runs);
    const unexpected = shown.filter(({ said }) => /TypeError|RangeError|is not a function|undefined \(/.test(said));
    assert.deepEqual(unexpected, []);
  });

/** Commands that open a plan or a run of somebody's, and the library. */
const OPENING = ["explain", "library", "report", "reproduce", "run", "show", "verify"];

/**
 * Opens hostile plans by nine commands, those that `chosen` takes; no file that a text of them names is imported, run or
 * opened.
 */
export const assertNothingOpened = (least: number, chosen?: (plan: HostilePlan, place: number) => boolean) =>
  inTemporaryFolder(async (folder) => {
    const { plans, shown, done, end } = await tryPlans(folder, chosen);
    assert.match(end, /^exit 0: /);
    assert.deepEqual(done, []);
    assert.ok(plans.length >= least, `${plans.length} plans`);
    assert.equal(shown.length, 9 * plans.length);
    assert.deepEqual([...new Set(shown.map(({ args }) => args[0]))].sort(), OPENING);
    const ended = ({ said, code }: CommandOutcome) =>
      [0, 1, 2, 3].includes(code) && !/(?<!Bench)Error: |undefined/.test(said);
    assert.deepEqual(shown.filter((one) => !ended(one)), []);
    // Those that nothing is wrong with come as far as looking for wrk, past all that is loaded: else nothing would be tried.
    const far = shown.filter(({ said }) => /(wrk|taskset) is not installed/.test(said));
    assert.ok(far.length > plans.length, `${far.length} of ${shown.length} came far`);
  });

/** What is done is seen: else nothing would be found. */
function assertWatched(folder: string): void {
  const baits = layBaits(join(folder, "baits"), "");
  const watched = join(folder, "watched");
  writeFileSync(watched, "");
  const { module, program, secret } = baits;
  const does =
    `import(${JSON.stringify(module)}); import("node:child_process").then((own) => own.execFileSync("${program}"));` +
    `import("node:fs").then((own) => own.readFileSync("${secret}"));`;
  mkdirSync(folder, { recursive: true });
  execFileSync(NODE, ["--import", lab("watch-process.ts"), "--input-type=module", "--eval", does], {
    env: { ...process.env, LEVELFIELD_WATCHED: watched, LEVELFIELD_BAIT: baits.folder },
  });
  const seen = readFileSync(watched, "utf8");
  for (const what of [/^import .*module\.ts$/m, /^execFileSync .*program\.sh$/m, /^readFileSync .*secret$/m]) {
    assert.match(seen, what);
  }
}

/** Judges mutated runs in a process of 512 MiB: each by verify and by a row of it and one that holds. */
export async function assertJudged(first: number, count: number): Promise<void> {
  const args = ["--max-old-space-size=512", "--expose-gc", lab("judge-mutated.ts"), String(first), String(count)];
  const child = spawn(NODE, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | string | null>((done) =>
    child.once("close", (code, signal) => done(code ?? signal))
  );
  let out = "", err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => out += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
  const there = () => printedBy(out, err);
  const code = await patiently(ended, {
    what: "mutated runs to be judged",
    there,
    giveUp: () => child.kill("SIGKILL"),
  });
  const judged = out.split("\n").filter((line) => line !== "").map((line): Judged => JSON.parse(line));
  // The last number it said is that of the run it could not bear.
  assert.equal(code, 0, err.slice(-2_000));
  assert.equal(judged.length, count);
  const wrong = judged.filter((one) => one.threw !== null || !one.othersShown || one.leaked);
  assert.deepEqual(wrong, []);
  const slow = judged.filter(({ verifyMs, trackMs, soundMs }) =>
    Math.max(verifyMs, trackMs) > MOST_TIMES * Math.max(10, soundMs)
  );
  assert.deepEqual(slow, []);
  assert.ok(judged.filter(({ faults }) => faults > 0).length > count / 3, "most are found out");
}
