/** What cannot be done is refused in one line with the next thing to try, before anything is measured. */
import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateRuntime } from "../bench/host/runtimes.ts";
import { bench, benchTest, type Ended, onSite, pathWith, runsIn, type Site } from "./run-bench.ts";

const RUN = ["run", "--runtime", "node", "--store", "map", "--size", "1k", "--rounds", "1", "--duration", "1s"];

/** One line of error, one of what to try, and nothing else that looks like a report. */
function assertRefused(ended: Ended, code: number, error: RegExp, hint: RegExp, what: string): void {
  assert.equal(ended.code, code, `${what}: ${ended.stderr}`);
  assert.equal(ended.stdout, "", what);
  const lines = ended.stderr.trimEnd().split("\n");
  const at = lines.findIndex((line) => line.startsWith("error: "));
  assert.ok(at >= 0 && at === lines.length - 2, `${what}: ${ended.stderr}`);
  assert.match(lines[at]!, error, what);
  assert.match(lines[at + 1]!, /^ {2}try: ./, what);
  assert.match(lines[at + 1]!, hint, what);
}

const USAGE: [line: string[], error: RegExp, hint: RegExp][] = [
  [["run", "--size", "0"], /size "0" is out of range/, /1 to 10m/],
  [["run", "--size", "-1"], /"-1" is no size/, /10k, 1m/],
  [["run", "--size=-1"], /"-1" is no size/, /10k, 1m/],
  [["run", "--size", "1e12"], /"1e12" is no size/, /10k, 1m/],
  [["run", "--size", "1000000000000"], /out of range/, /1 to 10m/],
  [["run", "--size", "10x"], /"10x" is no size/, /10k, 1m/],
  [["run", "--size", "10k,,1m"], /"" is no size/, /10k, 1m/],
  [["run", "--runtime", "nod"], /unknown runtime "nod"/, /did you mean "node"/],
  [["run", "--store", "postgres"], /unknown store "postgres"/, /known are linear, map/],
  [["run", "--generator", "ab"], /unknown generator "ab"/, /wrk/],
  [["run", "--engine", "duck"], /unknown engine "duck"/, /native, node/],
  [["run", "usres"], /unknown suite "usres"/, /did you mean "users"/],
  [["run", "toString"], /unknown suite "toString"/, /users/],
  [["rnu"], /unknown command "rnu"/, /did you mean "run"/],
  [["run", "--szie", "1k"], /unknown option "--szie"/, /did you mean "--size"/],
  [["run", "--rounds", "0"], /--rounds "0"/, /digits/],
  [["run", "--rounds", "many"], /--rounds "many"/, /digits/],
  [["run", "--rounds"], /--rounds needs a value/, /--help/],
  [["run", "--duration", "3"], /--duration "3" is no duration/, /3s/],
  [["run", "--duration", "1500ms"], /whole seconds/, /whole seconds/],
  [["run", "--miss-share", "2"], /--miss-share "2"/, /0\.1/],
  [["run", "--seed", "4294967296"], /--seed "4294967296"/, /digits/],
  [["run", "--quick", "--thorough"], /exclude each other/, /one of them/],
  [["run", "--server-cpus", "x"], /no list of CPUs/, /2-3,5/],
  [["serve", "--port", "70000"], /--port "70000"/, /digits/],
  [["serve", "--store", "map,sqlite"], /serves one cell/, /one/],
  [["serve", "--app", "blog"], /unknown app "blog"/, /users/],
];

benchTest("what the command line cannot mean is refused with exit code 2", async () => {
  await onSite(async (site) => {
    for (const [line, error, hint] of USAGE) {
      assertRefused(await bench(site, line), 2, error, hint, `bench ${line.join(" ")}`);
    }
    assert.deepEqual(runsIn(site), []);
  });
});

benchTest("CPUs that overlap, or that this process may not use, are refused with exit code 2", async () => {
  await onSite(async (site) => {
    const overlapping = await bench(site, [...RUN, "--server-cpus", "0", "--load-cpus", "0"]);
    assertRefused(overlapping, 2, /both name CPU 0/, /different CPUs/, "overlapping");
    const missing = await bench(site, [...RUN, "--server-cpus", "4000"]);
    assertRefused(missing, 2, /names CPU 4000/, /choose from/, "missing");
    assert.deepEqual(runsIn(site), []);
  });
});

async function assertFails(
  site: Site,
  line: string[],
  env: Record<string, string>,
  error: RegExp,
  hint: RegExp,
): Promise<void> {
  assertRefused(await bench(site, line, env), 1, error, hint, `bench ${line.join(" ")}`);
  assert.deepEqual(runsIn(site), []);
}

benchTest("a missing load generator is named with how to install it", async () => {
  await onSite(async (site) => {
    await assertFails(site, RUN, { PATH: pathWith(site) }, /wrk is not installed/, /apt-get install -y wrk/);
  });
});

benchTest("a missing runtime is named with how to get it or leave it out", async () => {
  await onSite(async (site) => {
    const path = pathWith(site, "wrk");
    symlinkSync(locateRuntime("deno").file, join(path, "deno"));
    const env = { PATH: path, LEVELFIELD_TOOLS: "path" };
    await assertFails(site, RUN, env, /runtime "node" is not installed/, /npm ci.*--runtime/);
  });
});

benchTest("a folder of results that cannot be written is named", async () => {
  await onSite(async (site) => {
    const file = join(site.folder, "file");
    writeFileSync(file, "");
    const line = [...RUN, "--results", join(file, "results")];
    await assertFails(site, line, {}, /cannot write results to ".*file\/results"/, /--results/);
  });
});

benchTest("a folder of data that cannot be written is named, and the run has not begun", async () => {
  await onSite(async (site) => {
    const file = join(site.folder, "file");
    writeFileSync(file, "");
    await assertFails(
      site,
      ["data", "--size", "1k", "--store", "map", "--data", join(file, "data")],
      {},
      /file/,
      /--data/,
    );
  });
});

benchTest("with --verbose a failure also shows where it came from", async () => {
  await onSite(async (site) => {
    const ended = await bench(site, ["run", "--size", "0", "--verbose"]);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /^\s+at /m);
  });
});
