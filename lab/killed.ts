import { counted } from "../bench/basics/units.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionName } from "../bench/core/axis-options.ts";
import { createRandom } from "../bench/basics/random.ts";
import { within } from "../bench/host/child.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import { probeCell, runtimeAxisName, type SelfSite } from "../bench/self/self-site.ts";
import { measured } from "./measured.ts";
import { startBench } from "./start-bench.ts";

/** Two cells, the A/A twin and the ceiling, in two rounds. Rounds that others disturb may be made again. */
const STEPS = 8;
const LONGEST_MS = 18_000;

/** Kills a driver at a random moment, goes on, and asks whether every step is there once and all figures follow. */
export async function measureKilled(site: SelfSite): Promise<Measurement[]> {
  const matrix = smallMatrix(site);
  const folder = mkdtempSync(join(tmpdir(), "levelfield-killed-"));
  const random = createRandom(1);
  let whole = 0, tried = 0;
  const problems: string[] = [];
  const bench = (args: string[]) => startBench(site, folder, args);
  const newest = () => {
    try {
      return readdirSync(join(folder, "results")).sort().at(-1);
    } catch {
      return undefined;
    }
  };
  try {
    for (; tried < site.rounds && !site.interrupts.stopped(); tried++) {
      site.say(`killed: ${tried + 1}/${site.rounds}`);
      rmSync(join(folder, "results"), { recursive: true, force: true });
      const first = bench(["run", ...matrix, "--seed", String(tried)]);
      await within(random() * LONGEST_MS, first.ended);
      first.kill("SIGKILL");
      await first.ended;
      const run = newest();
      const goOn = bench(run === undefined ? ["run", ...matrix] : ["run", "--resume", run]);
      await goOn.ended;
      const name = newest();
      const verify = bench(["verify", ...(name === undefined ? [] : [name])]);
      const ending = await verify.ended;
      const lines = name === undefined
        ? 0
        : readFileSync(join(folder, "results", name, "journal.ndjson"), "utf8").split("\n").length - 1;
      if ("code" in ending && ending.code === 0 && lines >= STEPS) whole++;
      else {problems.push(
          `${counted(lines, "step")}; ${goOn.stderrTail().split("\n").at(-1)}; ${
            verify.stdout().trim().split("\n").at(-1)
          }`,
        );}
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const note = problems[0] ?? `${whole} of ${tried}, killed at random moments`;
  const name = "runs whole and verified after the driver was killed";
  return [measured("killed")(name, tried === 0 ? null : whole / tried, { least: 1 }, note)];
}

/** Options of a matrix of two runtimes at the suite's probe point. */
function smallMatrix({ suite }: SelfSite): string[] {
  const { point } = probeCell(suite);
  const options = suite.axes.filter(({ role, binds }) => role !== "condition" && binds === undefined)
    .flatMap((axis) => [`--${optionName(axis.name)}`, axis.format(point.at[axis.name]!)]);
  return [suite.name, `--${optionName(runtimeAxisName(suite))}`, "bun,deno", ...options, "--quick", "--rounds", "2"];
}
