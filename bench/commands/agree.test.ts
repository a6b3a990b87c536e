import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { agree, confirm } from "./agree.ts";
import { argsOf } from "../options/args.ts";
import { OPTIONS } from "../options/options.ts";
import { parseLine } from "../options/read-line.ts";

const LONG_MS = 16 * 60_000;

/** Runs `agree` for a command line that takes so long: its outcome, and its questions. */
async function begun(line: string, ms: number, answer: boolean | null) {
  const asked: string[] = [];
  const ask = (question: string) => (asked.push(question), Promise.resolve(answer));
  const args = argsOf(parseLine(line.split(" ")), null, OPTIONS, []);
  const fault = await agree({ args, ask }, ms).then(() => null, ({ message }: Error) => message);
  return { asked, fault };
}

test("what takes longer than a quarter of an hour is begun when somebody says yes, and refused when nobody is there", async () => {
  const asked = ["this takes about 16m 0s. Go on?"];
  for (const line of ["run users", "run --pair a b", "latency", "reproduce", "run --plan p"]) {
    assert.deepEqual(await begun(line, LONG_MS, true), { asked, fault: null }, line);
    assert.deepEqual(await begun(line, LONG_MS, false), { asked, fault: "not begun" }, line);
    assert.match((await begun(line, LONG_MS, null)).fault!, /^this takes about 16m 0s and needs --yes/, line);
    assert.deepEqual(await begun(`${line} --yes`, LONG_MS, false), { asked: [], fault: null }, line);
  }
});

test("nobody is asked about what is short, all of it by name, a run that was begun, and a gate", async () => {
  assert.deepEqual(await begun("run users", 14 * 60_000, null), { asked: [], fault: null });
  for (const line of ["all", "all users", "run --resume RUN", "gate"]) {
    assert.deepEqual(await begun(line, LONG_MS, null), { asked: [], fault: null }, line);
  }
});

test("only a yes is one; Enter, any other word and the end of input are none", async () => {
  const answers = { "y\n": true, " YES \r\n": true, "\n": false, "n\n": false, "yesterday\n": false, "": false };
  for (const [typed, meant] of Object.entries(answers)) {
    const [stdin, stderr] = [new PassThrough(), new PassThrough()];
    stdin.end(typed);
    const answer = await confirm("Go on?", { stdin, stderr } as unknown as Parameters<typeof confirm>[1]);
    assert.equal(answer, meant, JSON.stringify(typed));
    assert.match(String(stderr.read()), /^Go on\? \[y\/N\] /);
  }
});
