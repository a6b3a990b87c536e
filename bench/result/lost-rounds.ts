/** The commonest cause for which rounds of cells are missing, in words with its counts and the servers it came from. */
import { capitalized, counted, fromTo, percent, withoutStop } from "../basics/units.ts";
import { contendedText } from "../judge/contention.ts";
import { faultOrigin, haltFaults, isOnlyAlone, sharedFaults } from "../judge/halts.ts";
import type { Solo } from "../judge/lines.ts";
import { timedWork, timedWorkText } from "../judge/timed-work.ts";
import { leaveCoreIdle, waitingServers, waitingText } from "../judge/waiting.ts";
import { AA, cellKey, cellName } from "../record/cell.ts";
import { mark, type MarkCode } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { Plan } from "../record/plan.ts";
import type { RoundPair } from "../statistics/compare.ts";
import { median } from "../statistics/median.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { EnsembleTable } from "./block-tables.ts";
import { listed } from "./questions.ts";

type Load = Parameters<typeof contendedText>[0][number] & Pick<Observation, "counters">;

/** One cause of a lost load: a mark, and the servers that caused it; none if it concerns all or no server. */
interface Cause {
  readonly load: Load;
  readonly mark: Mark;
  readonly names: readonly string[];
  /** The status that replies had; null if unknown. */
  readonly status?: number | null;
}

/** The words of a code by its servers and causes; of a code without any the text of its first mark. */
const WORDS: Partial<Readonly<Record<MarkCode, (of: string, causes: readonly Cause[]) => string>>> = {
  "socket-errors": (of) => of === "" ? "connections broke" : `connections to ${of} broke`,
  "timeouts": (of) => of === "" ? "replies came too late" : `replies of ${of} came too late`,
  "unexpected-status": (of, causes) => {
    const [status] = causes.flatMap((cause) => cause.status ?? []);
    return of === "" ? "replies had an error status" : `${of} answered ${status ?? "with an error status"}`;
  },
  "contended": (_, causes) => contendedText(causes.map(({ load }) => load)) ?? "others had the cores",
  "core-not-full": (_, causes) => {
    const shares = causes.flatMap(({ load }) => load.counters?.core_share ?? []);
    const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => percent(share, 0));
    return `the servers waited, and their core was busy only ${fromTo(least!, most!)} of the time`;
  },
};

function commonest(causes: readonly Cause[], made: number): Mark | null {
  const [often] = [...Map.groupBy(causes, ({ mark: { code } }) => code)]
    .map(([code, same]) => ({ code, same, times: new Set(same.map(({ load }) => load)).size }))
    .toSorted((a, b) => b.times - a.times);
  if (often === undefined) return null;
  const { code, same, times } = often;
  const of = listed(mostNamed(same.map(({ names }) => names)));
  const rounds = `${times} of ${counted(made, "round")}`;
  const words = WORDS[code]?.(of, same);
  const text = withoutStop(same[0]!.mark.text);
  return mark(code, words === undefined ? `${of === "" ? "" : `${of}: `}${text} (${rounds})` : `${words} in ${rounds}`);
}

/** Returns the names that occur in most of the lists; without A/A twins if others are among them. */
function mostNamed(lists: readonly (readonly string[])[]): string[] {
  const times = [...Map.groupBy(lists.flat(), (name) => name)].map(([name, same]) => ({ name, times: same.length }));
  const most = Math.max(0, ...times.map((one) => one.times));
  const names = times.filter((one) => 2 * one.times > most).map(({ name }) => name);
  const others = names.filter((name) => !name.endsWith(`@${AA}`));
  return others.length === 0 ? names : others;
}

/** Returns the commonest cause for which cells of an ensemble lack rounds; null if none is lost. */
export function lostTogether({ members: all, lines }: EnsembleTable, names: readonly string[]): Mark | null {
  const places = names.map((name) => all.indexOf(name));
  const causes = lines.flatMap(({ line, members }) => {
    if (line.status !== "ok") return causesOf(line, members.map((member, n) => ({ member, name: all[n]! })));
    return places.flatMap((place) =>
      members[place]!.marks.map((given): Cause => ({ load: line, mark: given, names: [all[place]!] }))
    );
  });
  const found = commonest(causes, lines.length);
  const origin = found === null ? null : originIn(found.code, lines.map(({ line }) => line));
  return origin === null ? found : { ...found!, text: `${found!.text}, ${origin}` };
}

/** Says where faults of servers come from that their windows alone have, too, or have not. */
function originIn(code: MarkCode, lines: readonly Observation[]): string | null {
  const origins = lines.flatMap((line) =>
    sharedFaults(line).filter((fault) => fault.code === code).map((fault) => faultOrigin(fault, line, lines))
  );
  return origins.includes("server") ? "alone, too" : origins.includes("halts") ? "alone hardly ever" : null;
}

/** Returns the mark of servers that bear no halts, and so were measured alone; nothing where none were. */
export function haltMarks(plan: Pick<Plan, "axes">, lines: readonly Observation[]): Mark[] {
  const together = Map.groupBy(
    lines.filter(({ kind }) => kind === "ensemble"),
    ({ members }) => JSON.stringify(members.map(({ cell }) => cellKey(cell))),
  );
  const apart = [...together.values()].filter((same) => same.some(isOnlyAlone));
  const causes = apart.flatMap((same) =>
    (haltFaults(same.filter((line) => !isOnlyAlone(line))) ?? []).map((fault): Cause => ({
      load: same[0]!,
      mark: mark(fault.code, ""),
      names: fault.known ? fault.members.map(({ cell }) => cellName(plan.axes, cell)) : [],
      status: fault.status,
    }))
  );
  const words = [...Map.groupBy(causes, ({ mark: { code } }) => code)]
    .map(([code, same]) => WORDS[code]!(listed(mostNamed(same.map(({ names }) => names))), same));
  const codes = new Set(causes.map(({ mark: { code } }) => code));
  const alone = lines.flatMap(({ members }) => members.flatMap((member) => member.alone?.marks ?? []));
  const often = alone.some(({ code }) => codes.has(code)) ? "hardly ever" : "never";
  const timed = apart.flatMap((same) => timedWork(same.filter((line) => !isOnlyAlone(line))))
    .filter(({ member }, _, all) => member.cell.label !== AA || all.every((one) => one.member.cell.label === AA))
    .map(({ member, ...found }) => timedWorkText(cellName(plan.axes, member.cell), found));
  const said = [
    ...(words.length === 0 ? [] : [`After each halt ${listed(words)}, alone ${often}`]),
    ...(timed.length === 0 ? [] : [`By turns ${listed(timed)}`]),
  ];
  return [
    ...said.map((text) => mark("halts", `${text}: so servers were measured alone and are compared by rates.`)),
    ...apart.flatMap((same) => waitMarks(plan, same)),
  ];
}

/** Returns the mark of servers that wait, with what they waited. */
function waitMarks({ axes }: Pick<Plan, "axes">, lines: readonly Observation[]): Mark[] {
  const together = lines.filter((line) => !isOnlyAlone(line));
  const waiting = waitingServers(together).filter(({ member }) => member.cell.label !== AA)
    .map((one) => waitingText(cellName(axes, one.member.cell), one));
  if (waiting.length === 0 && !leaveCoreIdle(together)) return [];
  const shares = together.flatMap(({ counters }) => counters?.core_share ?? []);
  const text = waiting.length > 0
    ? capitalized(listed(waiting))
    : `Together their core was busy ${percent(median(shares), 0)} of the time`;
  return [
    mark("servers-waited", `${text}. So servers were measured alone and are compared by rates, not by CPU time.`),
  ];
}

/** Causes for which a load of servers together was lost: faults of servers first, then marks of the load. */
function causesOf(
  line: Observation,
  named: readonly { readonly member: Observation["members"][number]; readonly name: string }[],
): Cause[] {
  const faults = sharedFaults(line);
  const nameOf = (member: unknown) => named.find((each) => each.member === member)!.name;
  const ofMark = (given: Mark, names: readonly string[] = []): Cause => ({ load: line, mark: given, names });
  // A server that was left out has a reason; its effects on the others are no cause.
  const left = line.status === "failed"
    ? named.flatMap(({ member, name }) => member.marks.map((one) => ofMark(one, [name])))
    : [];
  return [
    ...faults.map(({ code, known, members, status }) => ({
      ...ofMark(line.marks.find((one) => one.code === code)!, known ? members.map(nameOf) : []),
      status,
    })),
    ...left,
    ...line.marks.filter(({ code }) => left.length === 0 && faults.every((fault) => fault.code !== code))
      .map((given) => ofMark(given)),
  ];
}

/** Returns the same of a cell that is measured alone. */
export function lostAlone(name: string, solo: readonly Solo[]): Mark | null {
  const causes = solo.filter(({ status }) => status !== "ok").flatMap((one) =>
    one.marks.map((given): Cause => {
      const wrong = one.beside?.[0]?.wrong ?? [];
      const [status = null] = wrong.map((each) => each.status).filter((each) => each > 399);
      return { load: one, mark: given, names: [name], status };
    })
  );
  return commonest(causes, solo.length);
}

/** Returns why two cells of an ensemble lost too many rounds for a verdict; empty if they have enough. */
export function lossesTogether(ensemble: EnsembleTable, names: readonly string[]): Mark[] {
  const places = names.map((name) => ensemble.members.indexOf(name));
  const sound = ensemble.rounds.filter(({ members }) => places.every((place) => members[place] !== null)).length;
  return sound < thresholds.leastRounds.value ? [lostTogether(ensemble, names) ?? []].flat() : [];
}

/** Returns why two cells measured alone lost too many rounds, each by its own. */
export function lossesAlone(
  sides: readonly { readonly name: string; readonly solo: readonly Solo[] }[],
  pairs: readonly RoundPair[],
): Mark[] {
  const sound = pairs.filter(({ over, under }) => over !== null && under !== null).length;
  return sound < thresholds.leastRounds.value ? sides.flatMap(({ name, solo }) => lostAlone(name, solo) ?? []) : [];
}
