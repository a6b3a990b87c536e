import { AA, cellKey, pointKey } from "../../record/cell.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { counted } from "../../basics/units.ts";

/** What run.json says that it contradicts itself, one sentence each. */
export function recordFaults(run: RunRecord): string[] {
  const faults: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) faults.push(`run.json: ${text}`);
  };
  planFaults(run, claim);
  const { placement, grade, machine, priority, plan, generator, generator_threads: threads } = run;
  const { pinning, server_cpus: servers, load_cpus: loads } = placement;
  claim((pinning === "none") === (servers === null && loads === null), "CPUs were chosen and not chosen");
  claim((pinning === "none") === (grade.grade === "advisory"), "grade and placement contradict each other");
  const proven = machine.virtualization === null && pinning !== "one-cpu" && pinning !== "siblings";
  claim(grade.grade !== "dedicated" || proven, "a machine that shares its cores is called dedicated");
  claim(grade.reasons.length > 0, "a grade has no reason");
  claim((priority.nice === null) === (priority.why !== null), "the priority was raised and could not be");
  const other = run.hosts?.load_machine;
  const ofLoad = other?.topology ?? run.hosts?.load_topology ?? machine.topology;
  const known = [...machine.topology ?? [], ...ofLoad ?? []];
  const core = (cpu: number) => known.find((one) => one.cpu === cpu)?.core;
  for (const [topology, cpus] of [[machine.topology, servers], [ofLoad, loads]] as const) {
    for (const cpu of cpus ?? []) {
      claim(topology === null || topology.some((one) => one.cpu === cpu), `CPU ${cpu} is none the run was allowed`);
    }
  }
  const apart = other !== undefined ||
    (servers ?? []).every((cpu) =>
      (loads ?? []).every((other) => cpu !== other && (core(cpu) ?? cpu) !== (core(other) ?? other))
    );
  claim(pinning !== "separate-cores" || apart, "servers and generator are said to have cores of their own");
  claim(generator.name === plan.generator, `${generator.name} measured, and the plan says ${plan.generator}`);
  claim(
    threads === 1 || threads === (plan.threads ?? loads?.length ?? 1),
    `the generator had ${counted(threads, "thread")}, the plan says otherwise`,
  );
  return faults;
}

function planFaults({ plan }: RunRecord, claim: (holds: boolean, text: string) => void): void {
  const { suite, axes, cells, solo, ensembles, ceilings, unsupported, rounds } = plan;
  const points = new Set(cells.filter(({ label }) => label !== AA).map(({ point }) => pointKey(point)));
  const axisNames = JSON.stringify(axes.map(({ name }) => name).sort());
  for (const { point, label } of cells) {
    claim(point.suite === suite.name, `a cell is of suite "${point.suite}"`);
    claim(JSON.stringify(Object.keys(point.at).sort()) === axisNames, "a cell has other axes than the plan");
    for (const { name, values } of axes) {
      claim(
        values.some(({ value }) => value === point.at[name]),
        `a cell has a value of ${name} the plan does not have`,
      );
    }
    claim(label !== AA || points.has(pointKey(point)), "the A/A cell is a twin of none");
  }
  claim(new Set(cells.map(cellKey)).size === cells.length, "a cell is planned twice");
  for (const { point } of unsupported) claim(!points.has(pointKey(point)), "a point that cannot be is measured");
  const measured = new Set([...solo.map(({ cell }) => cell), ...ensembles.flatMap((one) => one.cells)]);
  claim(cells.every((_, place) => measured.has(place)), "a cell is planned and never measured");
  const stood = ceilings.flatMap(({ stands_for }) => stands_for);
  claim(new Set(stood).size === stood.length, "two ceilings stand for one cell");
  claim(
    ceilings.every(({ cell, stands_for }) => stands_for.includes(cell)),
    "a ceiling does not stand for its own cell",
  );
  const longest = Math.max(...solo.map((one) => one.rounds), ...ensembles.map((one) => one.rounds));
  // Cells that nothing judges may have fewer.
  claim(longest === rounds || (ensembles.length === 0 && longest < rounds), "its rounds are not those of its steps");
}
