import { formatCpuList } from "../../basics/cpu-list.ts";
import { cellName } from "../../record/cell.ts";
import type { Loaded, Member, Observation } from "../../record/observation-record.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Claim } from "./claim.ts";
import { counted } from "../../basics/units.ts";

/** What was measured has to have everything that goes with it, and nothing that was not to be. */
export function presenceFaults(line: Observation, run: RunRecord, claim: Claim): void {
  const ceiling = line.kind === "ceiling", single = line.members.length === 1;
  claim(line.status !== "ok" || line.stderr_tail === null, "it is called ok and keeps what its servers said");
  claim(line.status !== "ok" || line.counters !== null, "it is called ok without counters");
  const asked = line.load !== null;
  claim(!asked || single === (line.warmup === null), "servers together settle, one alone does not");
  for (const member of line.members) {
    const { server, oracle, warmup, alone, marks } = member;
    const name = cellName(run.plan.axes, member.cell);
    const fit = line.status === "ok" && marks.length === 0;
    claim(!fit || server !== null, `${name} was measured without a server`);
    claim(!fit || ceiling || warmup !== null, `${name} was measured without a warm-up`);
    claim(!fit || (member.requests ?? 0) > 0, `${name} answered nothing and is called fit`);
    claim(!ceiling || (oracle === null && warmup === null), "a server that does nothing was asked something");
    claim(
      !fit || ceiling || (oracle !== null && oracle.before > 0 && oracle.after > 0),
      `the answers of ${name} were compared with nothing`,
    );
    claim(single || !line.alone || !fit || alone !== null, `${name} was not measured alone as planned`);
    claim(alone === null || (!single && line.alone), `${name} was measured alone, which was not planned`);
    serverFaults(member, fit, name, run, claim);
    if (alone !== null) threadFaults(alone, 1, run, claim);
    const led = member.requests !== null && line.load?.lead_in_ms !== undefined && member.parts !== null;
    claim(
      led === (member.lead_in !== undefined),
      `of ${name} is told what led in to its turns, or is not, without reason`,
    );
  }
  const loaded = line.members.filter(({ requests }) => requests !== null).length;
  threadFaults(line, Math.max(1, loaded), run, claim);
}

/** A server has to have been where and what the run says servers were. */
function serverFaults(
  { server, cell, memory }: Member,
  fit: boolean,
  name: string,
  run: RunRecord,
  claim: Claim,
): void {
  if (server === null) return;
  const cpus = run.placement.server_cpus;
  claim(
    !fit || cpus === null || server.thread_cpus === null ||
      server.thread_cpus.every((list) => list === formatCpuList(cpus)),
    `${name} ran on other CPUs than the run gave its servers`,
  );
  const held = [server.peak_rss_bytes ?? 0, memory?.started ?? 0, memory?.loaded ?? 0, memory?.rested ?? 0];
  claim(Math.max(...held) <= run.machine.memory_bytes, `${name} had more memory than the machine`);
  const rests = memory === undefined || (memory.rested === undefined) === (run.plan.rest_ms === undefined);
  claim(rests, `${name} rested without a plan, or did not`);
  // Only a server of ours says how long it took to open; it was checked to be the runtime it was meant to be.
  const values = Object.values(cell.point.at);
  const own = run.runtimes.filter(({ label }) => values.includes(label));
  claim(
    server.open_ms === null || own.length === 0 || own.some(({ version }) => version === server.version),
    `${name} ran on version "${server.version}", which is none of the run's`,
  );
}

/** Threads of the generator: as many as the run had for one server, one for each of several. */
function threadFaults({ load }: Loaded, servers: number, { generator_threads }: RunRecord, claim: Claim): void {
  if (load === null) return;
  const { threads, thread_cpus } = load;
  claim(
    servers > 1 ? threads === servers : threads <= Math.min(generator_threads, load.connections),
    `the generator had ${counted(threads, "thread")}, which is not what the run gave it`,
  );
  claim(thread_cpus === null || thread_cpus.length > 0, "the generator ran on no CPU");
}
