import { join } from "node:path";
import { startChild } from "../host/child.ts";
import { childEnvironment, PROJECT_ROOT, SCRIPT_ARGS } from "../host/runtimes.ts";
import type { Measurement } from "./measurements.ts";
import type { SelfSite } from "./self-site.ts";

const LOOKUPS = 5;

/** How many times as fast the linear store is as reading line by line with JSON.parse, at 1M users. */
export async function measureLinear(
  site: SelfSite,
  directory: string,
  seed: number,
  size: number,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [name, runtime] of site.equipment.runtimes) {
    if (site.interrupts.stopped()) break;
    site.say(`linear: ${name}`);
    const child = startChild({
      file: runtime.file,
      args: [
        ...SCRIPT_ARGS[runtime.name],
        join(PROJECT_ROOT, "bench", "self", "naive-linear.ts"),
        directory,
        String(seed),
        String(size),
        String(LOOKUPS),
      ],
      cpus: site.equipment.placement.serverCpus,
      env: childEnvironment(),
    });
    site.interrupts.onStart(() => child.kill("SIGKILL"));
    await child.ended;
    const times = child.stdout() === "" ? null : JSON.parse(child.stdout()) as { storeNs: number; naiveNs: number };
    measurements.push({
      part: "linear",
      name: `${name}: linear at 1M, times as fast as parsing each line`,
      ratio: times === null ? null : times.naiveNs / times.storeNs,
      goal: { least: 5 },
      note: times === null
        ? child.stderrTail().split("\n").at(-1) ?? "no output"
        : `${LOOKUPS} look-ups over the file: ${(times.storeNs / 1e6).toFixed(0)} against ${
          (times.naiveNs / 1e6).toFixed(0)
        } ms`,
    });
  }
  return measurements;
}
