import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../bench/basics/errors.ts";
import { counted, formatDurationMs } from "../bench/basics/units.ts";
import { createRandom } from "../bench/basics/random.ts";
import { locateRuntime } from "../bench/host/runtimes.ts";
import type { BisectReport } from "../bench/report/bisect-text.ts";
import { chanceOfFew } from "../bench/self/chance.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import type { SelfSite } from "../bench/self/self-site.ts";
import { measured } from "./measured.ts";
import { startBench } from "./start-bench.ts";

const RUNTIME = "bun", VERSIONS = 16;
/** What the step adds to the CPU time of a request. */
const STEP = 0.1;
const BASE_PIECES = 200, CALIBRATIONS = 4;
const LEAST_RIGHT = 0.9, MOST_STEPS = 6;
/** Servers started in a round of each of the five steps of a bisection, summed, and in one of a calibration. */
const SERVERS = { bisection: 21, calibration: 3 };
/** Rounds of a step and seconds that a server takes of one: starting, warm-up and windows. */
const LOADS = {
  whole: { args: [], rounds: 8, serverS: 6.7 },
  quick: { args: ["--quick", "--warmup", "1s"], rounds: 4, serverS: 3.7 },
};

const APP = `const pieces = Number(process.env.PIECES);
const row = { id: 1, name: "Ada", born: 1815 };
let written = 0;
export default { fetch() {
  for (let n = 0; n < pieces; n++) written += JSON.stringify(row).length;
  return new Response("done");
} };
`;

/**
 * Whether `bench bisect` names the one of sixteen versions that made a tenth. The versions are wrappers around one runtime, which
 * tell the app how much work to do. A first bisection of two with twice the work tells how much a tenth is.
 * @param quick whether loads are shorter
 */
export async function measureBisect(site: SelfSite, quick: boolean): Promise<Measurement[]> {
  const { args, rounds, serverS } = LOADS[quick ? "quick" : "whole"];
  const allMs = 1_000 * serverS * rounds * (SERVERS.calibration + SERVERS.bisection * site.rounds);
  site.say(`bisect: ${counted(site.rounds, "bisection")}, about ${formatDurationMs(allMs)} on a quiet machine`);
  const folder = mkdtempSync(join(tmpdir(), "levelfield-self-bisect-"));
  try {
    writeFileSync(join(folder, "app.mjs"), APP);
    let ratio: number | null = null;
    for (let n = 0; n < CALIBRATIONS && ratio === null && !site.interrupts.stopped(); n++) {
      site.say("bisect: what a piece of work costs");
      ratio = (await bisect(site, folder, args, `calibration${n}`, [BASE_PIECES, 2 * BASE_PIECES]))?.ends?.ratio ??
        null;
    }
    if (site.interrupts.stopped()) return [];
    if (ratio === null || ratio <= 1) throw failure("what a piece of work costs cannot be told", "bench doctor");
    const slow = Math.round(BASE_PIECES * (1 + STEP / (ratio - 1)));
    const random = createRandom(1);
    const told: string[] = [];
    let right = 0, tried = 0, most = 0;
    for (; tried < site.rounds; tried++) {
      const at = 1 + Math.floor(random() * (VERSIONS - 1));
      site.say(`bisect: a step at ${at + 1} of ${VERSIONS}, ${tried + 1}/${site.rounds}`);
      const pieces = Array.from({ length: VERSIONS }, (_, n) => n < at ? BASE_PIECES : slow);
      const report = await bisect(site, folder, args, `try${tried}`, pieces);
      if (site.interrupts.stopped()) break;
      const isRight = report?.finding === "step" && report.after?.endsWith(`/w${at}`) === true;
      if (isRight) right++;
      else told.push(report?.sentences[0] ?? "it failed");
      most = Math.max(most, new Set(report?.steps.map(({ version }) => version)).size);
    }
    const figure = measured("bisect");
    const share = tried === 0 ? null : right / tried;
    const note = `${right} of ${tried}, ${slow} pieces of work for ${BASE_PIECES}${
      told.length === 0 ? "" : `; ${told[0]}`
    }`;
    return [
      {
        ...figure(`bisections of ${VERSIONS} that name the one with a tenth more`, share, { least: LEAST_RIGHT }, note),
        chance: chanceOfFew(right, tried, LEAST_RIGHT),
      },
      figure("most steps of one of them", tried === 0 ? null : most, { most: MOST_STEPS }, "without tries made again"),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One bisection of wrappers with so much work each, as a person would run it; null where it failed. */
async function bisect(
  site: SelfSite,
  folder: string,
  args: readonly string[],
  name: string,
  pieces: readonly number[],
): Promise<BisectReport | null> {
  const own = join(folder, name);
  mkdirSync(own);
  const file = locateRuntime(RUNTIME).file;
  for (const [n, count] of pieces.entries()) {
    const wrapper = join(own, `w${n}`);
    writeFileSync(wrapper, `#!/bin/sh\n# ${n}\nPIECES=${count} exec '${file}' "$@"\n`);
    chmodSync(wrapper, 0o755);
  }
  const among = pieces.map((_, n) => `${RUNTIME}=./${name}/w${n}`).join(",");
  const child = startBench(site, own, ["bisect", "--among", among, "--app", "./app.mjs", "--json", ...args], folder);
  await child.ended;
  const said = child.stdout();
  return said.startsWith("{") ? JSON.parse(said).bisect : null;
}
