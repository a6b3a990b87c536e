import type { RunRecord } from "../record/run-record.ts";
import { counted } from "../basics/units.ts";
import { roundsText } from "../plan/plan-rounds.ts";
import { aligned, printable, widthOf } from "./align.ts";
import { marksBeside } from "./question-texts.ts";
import { cellCount, type ListedRun, startedText, tookText } from "./listed-run.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

/** Runs for a terminal: a row each, and below it the picks. */
export function runLines(runs: readonly ListedRun[], style: Style, columns: number): string {
  if (runs.length === 0) return "There is no run yet. Try: bench all --quick\n";
  const fields = runs.map((listed) => {
    if ("fault" in listed) return [listed.name, "–", "–", "–"];
    const { name, run } = listed;
    const amount = `${counted(cellCount(run), "cell")}, ${roundsText(run.plan)}`;
    return [name, startedText(run), amount, `grade ${run.grade.grade}`];
  });
  const shown = (count: number) => aligned(fields.map((row) => row.slice(0, count)), () => true);
  const lines = [4, 3, 2, 1].map(shown).find((each) => each.every((line) => widthOf(line) <= columns)) ?? shown(1);
  return runs.flatMap((listed, n) => {
    const text = "fault" in listed ? listed.fault : textOf(listed);
    const paint = "fault" in listed || listed.summary.marks.length > 0 ? style.yellow : style.dim;
    const [name] = fields[n]!;
    const line = lines[n]!.replace(printable(name!), (found) => style.bold(found));
    return [line, ...wrapped(printable(text), columns - 2).map((each) => `  ${paint(each)}`)];
  }).join("\n") + "\n";
}

function textOf(listed: Extract<ListedRun, { readonly run: unknown }>): string {
  const { run: { plan, state }, summary } = listed;
  const marks = marksBeside(summary).map(({ text }) => text);
  return [`${plan.suite.name}: ${tookText(summary)}`, ...marks, ...(state === "finished" ? [] : [state])].join("; ");
}

/** Runs as data. */
export function runRecords(runs: readonly ListedRun[]) {
  return runs.map((listed) => {
    if ("fault" in listed) return { name: listed.name, fault: listed.fault };
    const { name, run, summary } = listed;
    return {
      name,
      suite: run.plan.suite.name,
      started_at: run.started_at,
      state: run.state,
      grade: run.grade.grade,
      cells: cellCount(run),
      rounds: run.plan.rounds,
      cpu_kind: run.machine.cpu_kind,
      ...(run.hosts === undefined ? {} : { hosts: hostsRecord(run.hosts) }),
      marks: summary.marks.map(({ code }) => code),
      answer: summary.answer.sentence,
    };
  });
}

/** Where servers and load generator ran, for a run with hosts: commands, null for the driver's host; and the load's CPU. */
function hostsRecord({ server, load, address, load_machine, service }: NonNullable<RunRecord["hosts"]>) {
  return {
    ...{ server, load, address, load_cpu_kind: load_machine?.cpu_kind ?? null },
    ...(service === undefined ? {} : { service: service.host, service_address: service.address }),
  };
}
