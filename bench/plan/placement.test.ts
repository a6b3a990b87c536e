import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCpuList } from "../basics/cpu-list.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import {
  type Cpu,
  type CpuOptions,
  placeApart,
  placeBound,
  placeProcesses,
  provenWorkers,
  serviceCpusOf,
  whyFewWorkers,
} from "./placement.ts";

const machine = (...cpus: [id: number, core: number, node?: number][]): { cpus: Cpu[]; why: string } => ({
  cpus: cpus.map(([id, core, node = 0]) => ({ id, core, node })),
  why: "",
});

/** Eight CPUs, four cores: siblings are n and n + 4, as Linux usually numbers them. */
const SMT = machine([0, 0], [1, 1], [2, 2], [3, 3], [4, 0], [5, 1], [6, 2], [7, 3]);

function refusal(
  topology: ReturnType<typeof machine> | { cpus: null; why: string },
  options: CpuOptions,
): BenchError {
  try {
    placeProcesses(topology, options);
  } catch (error) {
    assert.ok(error instanceof BenchError);
    assert.equal(error.exit, EXIT.usage);
    assert.ok(error.hint, "a refusal says what to try");
    return error;
  }
  throw new Error(`granted ${JSON.stringify(options)}`);
}

const PLACED: [
  situation: string,
  topology: ReturnType<typeof machine>,
  pinning: string,
  server: number[],
  load: number[],
][] = [
  ["with SMT each gets cores of its own, one CPU of each, away from CPU 0", SMT, "separate-cores", [3], [1, 2]],
  ["two cores give one each", machine([0, 0], [1, 1]), "separate-cores", [1], [0]],
  ["of equal NUMA nodes the first", machine([0, 0], [1, 1], [2, 2, 1], [3, 3, 1]), "separate-cores", [1], [0]],
  ["the node with most cores", machine([0, 0], [2, 2, 1], [3, 3, 1], [4, 4, 1]), "separate-cores", [4], [2, 3]],
  [
    "siblings do not make a node large",
    machine([0, 0], [1, 0], [2, 0], [4, 4, 1], [5, 5, 1]),
    "separate-cores",
    [5],
    [4],
  ],
  ["one core of each of two nodes rather than a shared one", machine([0, 0], [8, 8, 1]), "separate-cores", [8], [0]],
  ["a container's CPUs, however numbered", machine([5, 1], [6, 2], [7, 3]), "separate-cores", [7], [5, 6]],
  ["two siblings are named for what they are", machine([2, 2], [6, 2]), "siblings", [6], [2]],
  ["a single CPU is shared", machine([3, 3]), "one-cpu", [3], [3]],
];

for (const [situation, topology, pinning, server, load] of PLACED) {
  test(`server and generator are placed apart as far as they can be: ${situation}`, () => {
    const placement = placeProcesses(topology);
    assert.deepEqual([placement.pinning, placement.serverCpus, placement.loadCpus], [pinning, server, load]);
    if (situation.startsWith("one core of each")) assert.match(placement.note, /different NUMA nodes/);
  });
}

test("where CPUs cannot be chosen nothing is pinned, the reason is kept and a wish is refused", () => {
  const mac = { cpus: null, why: "macOS cannot pin" };
  assert.deepEqual(placeProcesses(mac), {
    pinning: "none",
    serverCpus: null,
    loadCpus: null,
    note: "macOS cannot pin",
  });
  assert.match(refusal(mac, { serverCpus: [1] }).message, /macOS cannot pin/);
});

test("a wish for one side leaves the other a core of its own, on the same NUMA node where it can", () => {
  const server = placeProcesses(SMT, { serverCpus: [2] });
  assert.deepEqual([server.pinning, server.serverCpus, server.loadCpus], ["chosen", [2], [1, 3]]);
  const load = placeProcesses(SMT, { loadCpus: [3, 7] });
  assert.deepEqual([load.serverCpus, load.loadCpus], [[2], [3, 7]]);
  const numa = placeProcesses(machine([0, 0, 0], [1, 1, 0], [2, 2, 1], [3, 3, 1]), { serverCpus: [0] });
  assert.deepEqual(numa.loadCpus, [1]);
  const across = placeProcesses(machine([0, 0, 0], [2, 2, 1]), { serverCpus: [0] });
  assert.deepEqual(across.loadCpus, [2]);
});

test("a wish that puts both on siblings is granted and marked", () => {
  const placement = placeProcesses(SMT, { serverCpus: [1], loadCpus: [5] });
  assert.deepEqual([placement.pinning, placement.serverCpus, placement.loadCpus], ["siblings", [1], [5]]);
});

test("wishes that contradict the machine or each other are refused in words", () => {
  assert.match(refusal(SMT, { serverCpus: [8] }).message, /--server-cpus names CPU 8/);
  assert.match(refusal(SMT, { loadCpus: [1, 99] }).message, /--load-cpus names CPU 99/);
  assert.match(refusal(SMT, { serverCpus: [1, 2], loadCpus: [2, 3] }).message, /both name CPU 2/);
  assert.match(refusal(SMT, { serverCpus: [0, 1, 2, 3] }).message, /no core is left for --load-cpus/);
  assert.match(refusal(machine([0, 0]), { loadCpus: [0] }).message, /no core is left for --server-cpus/);
});

test("two machines are placed each by its own CPUs, away from CPU 0", () => {
  const cpus = (count: number) => Array.from({ length: count }, (_, id) => ({ id, core: id, node: 0 }));
  const apart = (server: number, load: number, options = {}) =>
    placeApart({ cpus: cpus(server), why: "" }, { cpus: cpus(load), why: "" }, options);
  assert.deepEqual(
    [apart(4, 4), apart(1, 2), apart(2, 1, { serverCpus: [0] })].map(({ serverCpus, loadCpus }) => [
      serverCpus,
      loadCpus,
    ]),
    [[[3], [2, 3]], [[0], [1]], [[0], [0]]],
  );
  assert.equal(apart(4, 4).pinning, "separate-cores");
  assert.throws(() => apart(2, 4, { serverCpus: [3] }), /--server-cpus names CPU 3/);
  assert.equal(placeApart({ cpus: cpus(2), why: "" }, { cpus: null, why: "macOS" }).note, "macOS");
});

test("two sides of one machine stay where they are bound, on cores of their own where there are any", () => {
  const bound = (server: number[], load: number[], options = {}) => {
    const of = (ids: number[]) => ({ cpus: SMT.cpus!.filter(({ id }) => ids.includes(id)), why: "" });
    const { pinning, serverCpus, loadCpus } = placeBound(of(server), of(load), options);
    return [pinning, serverCpus, loadCpus];
  };
  assert.deepEqual(bound([1], [0]), ["separate-cores", [1], [0]]);
  assert.deepEqual(bound([1, 2], [0, 1]), ["separate-cores", [2], [0, 1]]);
  assert.deepEqual(bound([0], [0, 1, 2]), ["separate-cores", [0], [1, 2]]);
  assert.deepEqual(bound([1], [1, 5]), ["siblings", [1], [5]]);
  assert.deepEqual(bound([1, 5], [1]), ["one-cpu", [1], [1]]);
  assert.deepEqual(bound([0, 1], [2, 3], { serverCpus: [0] }), ["separate-cores", [0], [2, 3]]);
  assert.throws(() => bound([0], [1], { loadCpus: [2] }), /--load-cpus names CPU 2/);
  const all = SMT.cpus!.map(({ id }) => id);
  assert.deepEqual(bound(all, all).slice(1), [placeProcesses(SMT).serverCpus, placeProcesses(SMT).loadCpus]);
});

test("services get a core of their own where there is one, else the generator's; on the servers' machine", () => {
  const cores = (n: number): Cpu[] => Array.from({ length: n }, (_, id) => ({ id, core: id, node: 0 }));
  const of = (n: number) =>
    serviceCpusOf({ cpus: cores(n), why: "" }, placeProcesses({ cpus: cores(n), why: "" }), {
      servers: true,
      load: true,
    });
  assert.deepEqual(of(2), [0], "the generator's");
  assert.deepEqual(of(4), [0]);
  const apart = placeApart({ cpus: cores(2), why: "" }, { cpus: cores(2), why: "" });
  assert.deepEqual(apart.serverCpus, [1]);
  assert.deepEqual(serviceCpusOf({ cpus: cores(2), why: "" }, apart, { servers: true, load: false }), [0]);
  const narrow = placeApart({ cpus: cores(1), why: "" }, { cpus: cores(2), why: "" });
  assert.deepEqual(
    serviceCpusOf({ cpus: cores(1), why: "" }, narrow, { servers: true, load: false }),
    [0],
    "the servers'",
  );
  assert.deepEqual(
    serviceCpusOf({ cpus: cores(2), why: "" }, apart, { servers: false, load: false }),
    [1],
    "their own",
  );
  assert.deepEqual(
    serviceCpusOf({ cpus: cores(2), why: "" }, apart, { servers: false, load: true }),
    [0],
    "beside the load",
  );
  assert.equal(
    serviceCpusOf({ cpus: null, why: "macOS" }, placeProcesses({ cpus: null, why: "macOS" }), {
      servers: true,
      load: true,
    }),
    null,
  );
});

const cores = (count: number, nodes = 1) =>
  machine(...Array.from({ length: count }, (_, n): [number, number, number] => [n, n, Math.floor(n * nodes / count)]));
const workers = (count: number, services = false) => ({ workers: count, services });

test("workers get a core each, the generator as many of the others, and CPU 0 stays free as far as it can", () => {
  const placement = placeProcesses(cores(16), {}, workers(4));
  assert.deepEqual([placement.serverCpus, placement.loadCpus], [[12, 13, 14, 15], [8, 9, 10, 11]]);
  const tight = placeProcesses(cores(8), {}, workers(4));
  assert.deepEqual([tight.serverCpus, tight.loadCpus], [[4, 5, 6, 7], [1, 2, 3]]);
  assert.deepEqual(placeProcesses(cores(16), {}, workers(1)), placeProcesses(cores(16)));
});

test("a machine proves as many workers as it has cores beside the generator's, and a service's", () => {
  const proven = (count: number, need = workers(64)) => {
    const topology = cores(count);
    return provenWorkers(topology, placeProcesses(topology, {}, need));
  };
  assert.deepEqual([2, 3, 4, 8].map((count) => proven(count)), [1, 2, 3, 7]);
  assert.deepEqual([3, 4, 8].map((count) => proven(count, workers(64, true))), [1, 2, 6]);
  assert.equal(provenWorkers(SMT, placeProcesses(SMT, {}, workers(64))), 3, "siblings are one core");
  assert.equal(provenWorkers(SMT, placeProcesses(SMT, { serverCpus: [2, 3, 6, 7] }, workers(4))), 2);
});

test("a service's core is neither the workers' nor the generator's", () => {
  for (const count of [3, 4, 6]) {
    const topology = cores(count);
    const placement = placeProcesses(topology, {}, workers(64, true));
    const service = serviceCpusOf(topology, placement, { servers: true, load: true });
    assert.deepEqual([...placement.serverCpus!, ...placement.loadCpus!].filter((cpu) => service!.includes(cpu)), []);
  }
});

test("workers that a NUMA node has no room for take cores of the others, too", () => {
  const placement = placeProcesses(cores(8, 2), {}, workers(5));
  assert.deepEqual([placement.serverCpus, placement.loadCpus], [[3, 4, 5, 6, 7], [1, 2]]);
  assert.deepEqual(placeProcesses(cores(8, 2), {}, workers(2)).serverCpus, [2, 3]);
});

test("a host of its own gives workers all cores but the first, where it is bound those that it has alone", () => {
  const apart = placeApart(cores(8), cores(4), {}, workers(8));
  assert.deepEqual([apart.serverCpus, apart.loadCpus], [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3]]);
  const bound = placeBound(machine([2, 2], [3, 3], [4, 4]), machine([0, 0], [1, 1], [2, 2]), {}, workers(4));
  assert.deepEqual([bound.serverCpus, bound.loadCpus], [[3, 4], [0, 1, 2]]);
});

test("more workers than a machine can prove are named with how many it can", () => {
  const topology = cores(4);
  const why = (count: number, services = false) =>
    whyFewWorkers(topology, placeProcesses(topology, {}, workers(count, services)), workers(count, services));
  assert.equal(why(3), null);
  assert.equal(why(4), "4 workers take a core each beside the load generator's, and this machine can prove 3");
  assert.match(why(3, true)!, /and the service's, and this machine can prove 2$/);
  const unknown = { cpus: null, why: "no taskset here" };
  assert.match(whyFewWorkers(unknown, placeProcesses(unknown, {}, workers(2)), workers(2))!, /can prove 1$/);
});

test("on made-up machines workers, generator and service have cores apart, and as many workers are proven as fit", () => {
  /** Each core with two CPUs: siblings are n and n + cores, as Linux usually numbers them; nodes are halves. */
  const smt = (count: number, nodes = 1) =>
    machine(...Array.from({ length: 2 * count }, (_, id): [number, number, number] => {
      const core = id % count;
      return [id, core, Math.floor(core * nodes / count)];
    }));
  const machines = { "4 cores": smt(4), "8 cores": smt(8), "16 cores": smt(16), "two sockets of 8": smt(16, 2) };
  const told = Object.entries(machines).map(([name, topology]) => {
    const proven = (services: boolean) => provenWorkers(topology, placeProcesses(topology, {}, workers(64, services)));
    const at = (count: number) => {
      const { serverCpus, loadCpus } = placeProcesses(topology, {}, workers(count));
      return `${formatCpuList(serverCpus!)} by ${formatCpuList(loadCpus!)}`;
    };
    return `${name}: ${proven(false)}, ${proven(true)} beside a service; two on ${at(2)}, all on ${at(proven(false))}`;
  });
  assert.deepEqual(told, [
    "4 cores: 3, 2 beside a service; two on 2-3 by 0-1, all on 1-3 by 0",
    "8 cores: 7, 6 beside a service; two on 6-7 by 4-5, all on 1-7 by 0",
    "16 cores: 15, 14 beside a service; two on 14-15 by 12-13, all on 1-15 by 0",
    "two sockets of 8: 15, 14 beside a service; two on 6-7 by 4-5, all on 1-15 by 0",
  ]);
  for (const [name, topology] of Object.entries(machines)) {
    for (let count = 1; count <= 20; count++) {
      for (const services of [false, true]) {
        const need = workers(count, services);
        const placement = placeProcesses(topology, {}, need);
        const service = services ? serviceCpusOf(topology, placement, { servers: true, load: true })! : [];
        const coresOf = (ids: readonly number[]) => ids.map((id) => topology.cpus.find((cpu) => cpu.id === id)!.core);
        const used = [...placement.serverCpus!, ...placement.loadCpus!, ...service];
        const cores = coresOf(used);
        const where = `${count} workers on ${name}, ${services ? "with" : "without"} a service`;
        assert.equal(new Set(cores).size, cores.length, `${where}: ${used.join()}`);
        const refused = whyFewWorkers(topology, placement, need);
        assert.equal(refused === null, placement.serverCpus!.length === count, where);
        const nodes = new Set(
          topology.cpus.filter(({ id }) => placement.serverCpus!.includes(id)).map(({ node }) => node),
        );
        if (count + (services ? 2 : 1) <= 8) assert.equal(nodes.size, 1, `${where}: on one node as long as they fit`);
      }
    }
  }
});
