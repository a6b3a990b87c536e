/** What load generators cannot do is refused in one line, with what can be done instead. */
import assert from "node:assert/strict";
import { benchHere } from "./command-line.ts";
import { onSite, toolTest } from "./run-bench.ts";

const REFUSED: readonly (readonly [args: string[], message: RegExp, hint: RegExp])[] = [
  [
    ["duet", "users", "bun/map", "deno/map", "--generator", "ab"],
    /a duet loads two servers at once, and ab loads one/,
    /bench run/,
  ],
  [["run", "users", "--generator", "ab"], /ab sends one request again and again/, /bench list users/],
  [
    ["run", "users", "--generator", "ab", "--rate", "1000"],
    /ab cannot keep a rate, ontime, h2load and k6 can/,
    /--generator ontime/,
  ],
  [["run", "users", "--workload", "write", "--generator", "k6"], /"serial" must never come twice/, /bench list users/],
  [["contrast", "users", "workload=write"], /not every load generator can send these requests/, /cell that reads/],
  [["latency", "--slo", "p42<1ms"], /--slo "p42<1ms" is no limit/, /p99<10ms/],
];

for (const [args, message, hint] of REFUSED) {
  toolTest(`refused in one line: bench ${args.join(" ")}`, () =>
    onSite(async (site) => {
      const { code, stderr } = await benchHere(site, args);
      assert.equal(code, 2, stderr);
      const [error, next] = stderr.trim().split("\n").slice(-2);
      assert.match(error!, message);
      assert.match(next!, hint);
    }));
}
