import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest, ranToEnd, runtime } from "../../tests/testing.ts";
import { profilerOf, readProfiles } from "./cpu-profile-files.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";

/** Works by two functions, seconds apart, and says when by the wall's clock. */
const SCRIPT = `
function busyUntil(at) { let all = 0; while (Date.now() < at) for (let n = 0; n < 1000; n++) all += Math.sqrt(n); return all; }
function earlyWork(at) { return 1 + busyUntil(at); }
function lateWork(at) { return 2 + busyUntil(at); }
const began = Date.now();
earlyWork(began + 400);
await new Promise((resolve) => setTimeout(resolve, 2_000));
const later = Date.now();
lateWork(later + 400);
console.log(JSON.stringify({ began, later, ended: Date.now() }));
`;

folderTest("a profile's samples are found by the wall's clock, whatever clock the runtime has", async (folder) => {
  const profiles = join(folder, "profiles");
  mkdirSync(profiles);
  writeFileSync(join(folder, "busy.mjs"), SCRIPT);
  const [first, ...rest] = SCRIPT_ARGS[runtime.name];
  const flags = [...(first === undefined ? [] : [first]), ...profilerOf(runtime.name, profiles).flags, ...rest];
  const { stdout, stderr, code } = await ranToEnd(process.execPath, [...flags, join(folder, "busy.mjs")]);
  assert.equal(code, 0, stderr);
  const { began, later, ended } = JSON.parse(stdout);
  const [only, ...more] = readProfiles(profiles, "cell");
  assert.deepEqual([only!.file, more.length], ["cell.cpuprofile", 0]);
  const { profile: { nodes, samples, timeDeltas, startTime }, behindUs } = only!;
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const under = (id: number | undefined, name: string): boolean =>
    id !== undefined && (names.get(id) === name || under(callers.get(id), name));
  const seen = { earlyWork: 0, lateWork: 0 };
  let atUs = startTime + behindUs;
  samples.forEach((id, n) => {
    atUs += timeDeltas[n]!;
    for (const name of ["earlyWork", "lateWork"] as const) {
      if (!under(id, name)) continue;
      seen[name]++;
      const [from, to] = name === "earlyWork" ? [began, later - 1_000] : [later, ended];
      assert.ok(atUs / 1e3 > from - 500 && atUs / 1e3 < to + 500, `${name} at ${atUs / 1e3 - from} ms`);
    }
  });
  assert.ok(seen.earlyWork > 0 && seen.lateWork > 0, JSON.stringify(seen));
});
