import type { HostSample } from "../record/samples.ts";
import { buildFiles } from "./build-files.ts";
import type { Child } from "./child.ts";
import { nowUs } from "./clock.ts";
import { gradeOf } from "./doctor/examine.ts";
import { machineFacts } from "./doctor/machine-facts.ts";
import type { Host, HostFacts, HostProcess, SampleWish } from "./host.ts";
import { httpClient } from "./http-client.ts";
import { linksHere, lookForProgram, machineId, processSpace } from "./look-around.ts";
import type { Machine } from "./machine.ts";
import { raisedPriority } from "./priority.ts";
import { sizeOfAll } from "./process-size.ts";
import { describeMachine } from "./provenance.ts";
import { checkOutRevision } from "./revision.ts";
import { roundTripUs } from "./round-trip.ts";
import { fileSha256 } from "./runtimes.ts";
import { startServer, stopServer } from "./server-process.ts";
import { sourcesHere } from "./source-hash.ts";
import { processOf, startProgram } from "./start-program.ts";
import { thisMachine } from "./this-machine.ts";

/** This machine, without a pipe: what a driver and an agent do themselves. */
export function localHost(): Host {
  let known: Machine | undefined;
  const machine = () => known ??= thisMachine();
  let facts: HostFacts | undefined;
  const children = new WeakMap<HostProcess, Child>();
  return {
    command: null,
    lost: () => null,
    facts: () => Promise.resolve(facts ??= factsOf(machine())),
    dataFolder: (own) => own,
    runtimes: (wanted) => Promise.resolve([...wanted]),
    findProgram: lookForProgram,
    hashes: (files) => Promise.resolve(files.map(fileSha256)),
    sources: (wanted) => Promise.resolve(sourcesHere(wanted)),
    start: (command, listeners) => Promise.resolve(startProgram(command, listeners)),
    async serve(request) {
      const server = await startServer(request);
      if (!("url" in server)) return server;
      const { child, ...rest } = server;
      if (child === null) return { ...rest, process: null };
      const process = processOf(child);
      children.set(process, child);
      return { ...rest, process };
    },
    async stop({ process, ...rest }) {
      await stopServer({ ...rest, child: process === null ? null : children.get(process)! });
    },
    build: buildFiles,
    checkOut: checkOutRevision,
    sample: (wish) => Promise.resolve(sampleHere(machine(), wish)),
    threadCpus: (pid) => Promise.resolve(machine().threadCpus(pid)),
    peakRssBytes: (pid) => Promise.resolve(machine().peakRssBytes(pid)),
    sizeOf: (pid) => Promise.resolve(sizeOfAll(pid)),
    freeMemoryShare: () => Promise.resolve(machine().freeMemoryShare()),
    client: httpClient,
    roundTripUs,
    close: () => Promise.resolve(),
  };
}

const factsOf = (machine: Machine): HostFacts => ({
  machine: describeMachine(),
  topology: machine.topology(),
  priority: raisedPriority(),
  grade: gradeOf(machineFacts()),
  machineId: machineId(),
  processSpace: processSpace(),
  links: linksHere(),
});

/** Reads in one go, so that readings of one moment do not drift apart. */
function sampleHere(machine: Machine, { pids, what, links, sizes }: SampleWish): HostSample {
  const beganUs = nowUs();
  const held = pids.map((pid) => pid === null || sizes !== true ? null : sizeOfAll(pid));
  const startedMs = performance.now();
  const processes = pids.map((pid) =>
    pid === null ? { unreadable: "its process is not known" } : machine.sampleProcess(pid, what === "counts")
  );
  const cpus = what === "cpus" ? machine.sampleCpus(links) : null;
  const tookMs = (cpus?.cpusAtMs ?? performance.now()) - startedMs;
  return {
    processes,
    sizes: held,
    cpus,
    counts: what === "counts" ? machine.sampleCounts() : null,
    beganUs,
    atUs: nowUs(),
    tookMs,
    agentCpuNs: 0,
  };
}
