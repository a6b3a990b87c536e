import { cellsOf, type PlannedCeiling } from "../core/plan.ts";
import type { CeilingRecord } from "../core/result/ceiling-record.ts";
import type { TrialSite } from "./conduct-trial.ts";
import { measureLoad } from "./measure-load.ts";
import { startServer, stopServer } from "./server-process.ts";

const WINDOW_MS = 1_000;

/** Measures what the generator reaches against a server that does nothing, with the script and pinning of the trials. */
export async function conductCeiling(step: PlannedCeiling, site: TrialSite): Promise<CeilingRecord> {
  const started = performance.now();
  const { plan, placement, machine } = site;
  const record: CeilingRecord = {
    schema: "levelfield.ceiling/1",
    index: step.index,
    round: step.round,
    status: "failed",
    reason: null,
    started_at: new Date().toISOString(),
    wall_ms: 0,
    requests: null,
    duration_us: null,
    requests_per_second: null,
    generator_share: null,
  };
  const finish = (rest: Partial<CeilingRecord>): CeilingRecord => ({
    ...record,
    ...rest,
    wall_ms: performance.now() - started,
  });
  const server = await startServer({
    runtime: site.runtimeForCeiling,
    app: "null",
    cpus: placement.serverCpus,
    onStart: site.onStart,
  });
  if ("failed" in server) return finish({ reason: server.failed.message });
  try {
    const size = Math.max(...cellsOf(plan).map((cell) => cell.size));
    const measured = await measureLoad(site.generator, {
      urls: [server.ready.url],
      connections: plan.connections,
      threads: site.threads,
      durationMs: WINDOW_MS,
      timeoutMs: 2_000,
      requests: { kind: "ids", size, dataSeed: plan.dataSeed, drawSeed: step.drawSeed, missShare: plan.missShare },
    }, {
      machine,
      serverPid: server.ready.pid,
      serverCpus: placement.serverCpus,
      loadCpus: placement.loadCpus,
      program: site.program,
      onStart: site.onStart,
    });
    if ("failed" in measured) return finish({ reason: measured.failed });
    const { result, counters } = measured;
    return finish({
      status: "ok",
      requests: result.requests,
      duration_us: result.durationUs,
      requests_per_second: result.requests / (result.durationUs / 1e6),
      generator_share: counters.generator_share,
    });
  } finally {
    await stopServer(server.child);
  }
}
