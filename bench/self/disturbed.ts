import { mean } from "../core/statistics/variation.ts";
import { startChild } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";
import type { Measurement } from "./measurements.ts";
import { logRatioOnce, probeCell, runtimeAxisOf, type SelfSite } from "./self-site.ts";

const WINDOW_MS = 2_000;
const PAIR = ["bun", "deno"] as const;

/** Whether a duet's ratio stands while another process keeps the servers' core busy: quiet and disturbed rounds in turn. */
export async function measureDisturbed(site: SelfSite): Promise<Measurement[]> {
  const cells = PAIR.map((runtime) => probeCell(site.suite, { [runtimeAxisOf(site.suite)]: runtime }));
  const cpus = site.equipment.placement.serverCpus;
  const found = { quiet: [] as number[], disturbed: [] as number[] };
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    for (const state of ["quiet", "disturbed"] as const) {
      site.say(`disturbed: round ${round + 1}/${site.rounds}, ${state}`);
      const other = state === "quiet" ? null : startChild({
        file: "sh",
        args: ["-c", "while :; do :; done"],
        cpus,
        env: childEnvironment(),
      });
      if (other !== null) site.interrupts.onStart(() => other.kill("SIGKILL"));
      try {
        const logRatio = await logRatioOnce(site, { cells, round, windowMs: WINDOW_MS });
        if (logRatio !== null) found[state].push(logRatio);
      } finally {
        other?.kill("SIGKILL");
        await other?.ended;
      }
    }
  }
  const enough = found.quiet.length > 0 && found.disturbed.length > 0;
  const [quiet, disturbed] = enough ? [Math.exp(mean(found.quiet)), Math.exp(mean(found.disturbed))] : [1, 1];
  return [{
    part: "disturbed",
    name: "duet beside a busy process: percent off the quiet ratio",
    ratio: enough ? 100 * Math.abs(disturbed / quiet - 1) : null,
    goal: { most: 3 },
    note: enough ? `quiet ${quiet.toFixed(3)}, disturbed ${disturbed.toFixed(3)}` : "no valid duet",
  }];
}
