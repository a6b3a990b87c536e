/** A run placed by Slurm: servers on one node and the load generator on another, each bound to the CPU it was given. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { must, run, testUnless } from "./command.ts";
import { type SlurmCluster, slurmMissing, withSlurm } from "./slurm-cluster.ts";
import { onPath } from "./stub-nixpkgs.ts";

const slurmTest = testUnless(
  slurmMissing() ?? (onPath("wrk") === undefined ? "wrk is not installed" : undefined),
  test,
);

const BENCH = join(PROJECT_ROOT, "bin", "bench");
const SMALL = ["--runtime", "bun", "--store", "map", "--size", "1k", "--alone", "--rounds", "1", "--duration", "1s"];

slurmTest("a job of two nodes runs servers on one, the load on the other, each on the CPU it is bound to", async () => {
  await withSlurm(async ({ env, folder, nodes: [sut, gen] }) => {
    const own = { ...env, LEVELFIELD_RESULTS: join(folder, "results"), LEVELFIELD_DATA: join(folder, "data") };
    const made = await run("salloc", [
      ...["--nodelist", sut, "--exclusive", ":", "--nodelist", gen, "--exclusive"],
      ...[BENCH, "run", ...SMALL, "--json"],
      ...["--server-host", "srun --het-group=0 --cpu-bind=map_cpu:1"],
      ...["--load-host", "srun --het-group=1 --cpu-bind=map_cpu:0"],
    ], { env: own });
    assert.ok(made.code === 0 || made.code === 3, `exit ${made.code}: ${made.stderr.slice(-2000)}`);
    const { run: record } = JSON.parse(made.stdout);
    assert.equal(record.state, "finished");
    assert.deepEqual([record.placement.server_cpus, record.placement.load_cpus], [[1], [0]]);
    const lines = readFileSync(join(folder, "results", record.run, "journal.ndjson"), "utf8").trim().split("\n")
      .map((line) => JSON.parse(line));
    for (const { members: [member] } of lines) assert.deepEqual(member.server.thread_cpus, ["1"]);
    const verified = await run(BENCH, ["verify", record.run], { env: own });
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    const queue = await run("squeue", ["--noheader"], { env });
    assert.equal(queue.stdout, "", "the job has ended with the run");
    const left = await run("pgrep", ["-f", join(folder, "data")]);
    assert.equal(left.stdout, "", "nothing is left on either node");
  });
});

/** A folder to submit jobs from, with this checkout's launchers, and what they find there. */
function submitting({ env, folder }: SlurmCluster) {
  const from = join(folder, "from");
  mkdirSync(from);
  symlinkSync(join(PROJECT_ROOT, "bin"), join(from, "bin"));
  const own = { ...env, LEVELFIELD_RESULTS: join(folder, "results"), LEVELFIELD_SERVER_ADDRESS: "127.0.0.1" };
  return { from, own, script: (name: string) => join(PROJECT_ROOT, "examples", "slurm", name) };
}

slurmTest("the job script for two nodes makes a run that verifies", async () => {
  await withSlurm(async (cluster) => {
    const { from, own, script } = submitting(cluster);
    const said = join(from, "said");
    const job = await run("sbatch", ["--wait", "--output", said, script("two-nodes.sh"), ...SMALL], {
      cwd: from,
      env: own,
    });
    assert.ok(job.code === 0 || job.code === 3, `exit ${job.code}: ${job.stderr}\n${readFileSync(said, "utf8")}`);
    const [name] = readdirSync(own.LEVELFIELD_RESULTS);
    const record = JSON.parse(readFileSync(join(own.LEVELFIELD_RESULTS, name!, "run.json"), "utf8"));
    assert.equal(record.state, "finished");
    assert.match(record.hosts.server, /^srun --het-group=1 /);
    assert.equal(record.hosts.load, null);
    await must(BENCH, ["verify", name!], { env: own });
  });
});

slurmTest("an array runs one plan on every node, and a page shows the runs", async () => {
  await withSlurm(async (cluster) => {
    const { from, own, script } = submitting(cluster);
    const plan = await must(BENCH, ["run", ...SMALL, "--dry-run", "--json"], { env: own });
    writeFileSync(join(from, "plan.json"), plan);
    const said = join(from, "said-%a");
    // One after the other: the two nodes are one machine here.
    const job = await run(
      "sbatch",
      ["--wait", "--output", said, "--array", "0-1%1", script("every-node.sh"), "plan.json"],
      { cwd: from, env: own },
    );
    assert.ok(job.code === 0 || job.code === 3, `exit ${job.code}: ${job.stderr}`);
    assert.equal(readdirSync(join(from, "results-of-nodes")).length, 2);
    const runs = readdirSync(join(from, "results-of-nodes")).flatMap((node) =>
      readdirSync(join(from, "results-of-nodes", node)).map((name) => join("results-of-nodes", node, name))
    );
    const page = await run(BENCH, ["report", ...runs, "--output", "page.html"], { cwd: from, env: own });
    assert.equal(page.code, 0, page.stderr);
    assert.equal(runs.length, 2);
    for (const each of runs) assert.ok(readFileSync(join(from, "page.html"), "utf8").includes(basename(each)), each);
  });
});
