/** Hosts that are not there, or have not the address that was given. */
import assert from "node:assert/strict";
import { benchHere } from "./command-line.ts";
import { onSite, toolTest } from "./run-bench.ts";

const SMALL = ["--runtime", "bun", "--store", "map", "--size", "1k", "--alone", "--rounds", "1", "--duration", "1s"];

toolTest("hosts that cannot be reached, or addresses they do not have, are said in a line", async () => {
  await onSite(async (site) => {
    const told = async (...args: string[]) => {
      const { code, stderr } = await benchHere(site, args);
      return [code, stderr.split("\n").slice(-3, -2)[0]];
    };
    const says = (...args: string[]) => told("run", ...SMALL, "--dry-run", ...args);
    assert.deepEqual(await says("--server-host", "'no end"), [2, `error: --server-host "'no end" is no command`]);
    const [code, line] = await says("--server-host", "sh -c 'echo no route to box1 >&2; exit 255'");
    assert.deepEqual([code, line], [
      1,
      `error: host "sh -c 'echo no route to box1 >&2; exit 255'": there is no agent: no route to box1`,
    ]);
    for (const command of [["duet", "bun/map/1k", "deno/map/1k"], ["latency"], ["contrast"]]) {
      assert.deepEqual(await told(...command, "--load-host", "false"), [
        1,
        `error: host "false": there is no agent: exit 1`,
      ]);
    }
    assert.deepEqual(await says("--server-address", "192.0.2.1"), [
      2,
      `error: the servers' host has no address "192.0.2.1"`,
    ]);
  });
});
