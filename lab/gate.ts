import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT, failure } from "../bench/basics/errors.ts";
import { mean } from "../bench/statistics/variation.ts";
import { BASE_PIECES, type Branch, goTo, makeRepository, makeSlow } from "./gate-repository.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import type { SelfSite } from "../bench/self/self-site.ts";
import { measured } from "./measured.ts";
import { startBench } from "./start-bench.ts";

const RUNTIME = "bun";
/** What the slow commit adds to the CPU time of a request. */
const SLOWDOWN = 0.1;
/** How often the cost of the work is asked for at most: others may have the machine for a while. */
const CALIBRATIONS = 4;

/** How one gate ended. */
interface Try {
  readonly code: number | null;
  readonly outcome: string;
  /** CPU time per request of head over that of base; null without a verdict. */
  readonly ratio: number | null;
  /** Why it is not proven, or what went wrong. */
  readonly why: string;
}

/**
 * Whether `bench gate --quick` catches a commit that makes an app a tenth slower, and passes one that changes nothing. The
 * app stands in a git repository made for this. A first gate with twice the work tells how much work a tenth is.
 */
export async function measureGate(site: SelfSite): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-self-gate-"));
  const root = join(folder, "repository");
  try {
    await makeRepository(root);
    site.say("gate: what a piece of work costs");
    await makeSlow(root, 2 * BASE_PIECES);
    let twice = await tryGate(site, folder, root, "slow");
    for (let n = 1; n < CALIBRATIONS && twice.ratio === null && !site.interrupts.stopped(); n++) {
      twice = await tryGate(site, folder, root, "slow");
    }
    if (site.interrupts.stopped()) return [];
    if (twice.ratio === null || twice.ratio <= 1) {
      throw failure(`what a piece of work costs cannot be told: ${twice.why}`, "bench doctor");
    }
    const slow = Math.round(BASE_PIECES * (1 + SLOWDOWN / (twice.ratio - 1)));
    await makeSlow(root, slow);
    const tries: Record<"slow" | "same", Try[]> = { slow: [], same: [] };
    for (let n = 0; n < site.rounds && !site.interrupts.stopped(); n++) {
      for (const branch of ["slow", "same"] as const) {
        if (site.interrupts.stopped()) break;
        site.say(`gate: ${branch}, ${n + 1}/${site.rounds}`);
        const made = await tryGate(site, folder, root, branch);
        if (!site.interrupts.stopped()) tries[branch].push(made);
      }
    }
    return [
      resultOf("commits a tenth slower caught", tries.slow, EXIT.regression, `${slow} pieces for ${BASE_PIECES}`),
      resultOf("unchanged commits passed", tries.same, EXIT.done, "the same code"),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(name: string, tries: readonly Try[], wanted: number, what: string): Measurement {
  const right = tries.filter(({ code }) => code === wanted);
  const proven = tries.filter(({ outcome }) => outcome !== "not-proven");
  const ratios = tries.flatMap(({ ratio }) => ratio ?? []);
  const range = ratios.length === 0
    ? "no ratio"
    : `found ${mean(ratios).toFixed(3)} in the mean, ${Math.min(...ratios).toFixed(3)} to ${
      Math.max(...ratios).toFixed(3)
    }`;
  const odd = tries.find(({ code, outcome }) => code !== wanted || outcome === "not-proven");
  const why = odd === undefined || odd.why === "" ? "" : `; ${odd.why}`;
  const note = `${right.length} of ${tries.length}, ${proven.length} of them proven; ${what}, ${range}${why}`;
  return measured("gate")(name, tries.length === 0 ? null : right.length / tries.length, { least: 1 }, note);
}

/** One gate of a branch against main, as a person would run it in the repository. */
async function tryGate(site: SelfSite, folder: string, root: string, branch: Branch): Promise<Try> {
  await goTo(root, branch);
  const command = ["gate", "--app", "app.ts", "--base", "main", "--runtime", RUNTIME, "--quick", "--json"];
  const child = startBench(site, folder, command, root);
  const ended = await child.ended;
  const code = "code" in ended ? ended.code : null;
  const said = child.stdout();
  if (!said.startsWith("{")) {
    return { code, outcome: "failed", ratio: null, why: child.stderrTail().trim().split("\n").at(-1) ?? "" };
  }
  const { outcome, places } = JSON.parse(said).gate;
  const comparison = places[0]?.comparison;
  return { code, outcome, ratio: comparison?.ratio ?? null, why: comparison?.marks?.[0]?.text ?? "" };
}
