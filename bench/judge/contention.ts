import { fromTo, percent } from "../basics/units.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { mark } from "../record/mark.ts";

type Counters = NonNullable<Observation["counters"]>;

type Seen =
  & Pick<
    Counters,
    | "server_foreign_share"
    | "generator_foreign_share"
    | "steal_share"
    | "frequency_change"
    | "clock_step_ms"
    | "share_window_ns"
    | "moment_ns"
  >
  & Partial<Pick<Counters, "server_share" | "server_wait_share">>;

/**
 * The most that rounding adds. The kernel accounts cores in ticks of 10 ms, in three sums: idle time, waiting for
 * disks, and steal. Each is read twice in whole ticks, so each difference is right to a tick and all of them to three.
 * That holds on any number of cores: errors grow as cores do. A fourth tick is for soft interrupts, which are sampled.
 * In windows below 0.8 s this exceeds the limit that voids an observation; only more than this is then surely other
 * work.
 */
const ROUNDING_NS = 4 * 10e6;

/**
 * Returns the marks that void a load: other processes used its cores, or the clocks changed. Other work does not slow
 * servers equally, so it cancels in no ratio. Measured next to a busy neighbour: Node's requests cost two to three
 * times as much, Deno's half as much again. Work on the generator's core does not cancel either: a reply costs its
 * server more to hand over while another process runs there. Measured on a virtual machine: a third more for Node, a
 * sixth for Deno and Bun.
 *
 * At a rate a core has idle time. Each of its ends costs the kernel time that is nobody's: of a quiet virtual machine 4 %
 * of the core at nine tenths of what Bun can do, and 12 % at half, a sixth to a third of what the server left. So there
 * others count where they had more than half of that, as whoever is always busy has, or where a thread of the server
 * waited for a CPU: below 4 % in the same windows. It can wait for others no longer than they had the core: the rest is
 * for threads of its own, 5 % in Bun at a rate where others had 1 %.
 */
export function contentionMarks({ isOpenLoop = false, ...given }: Seen & { readonly isOpenLoop?: boolean }): Mark[] {
  const marks: Mark[] = [];
  const left = THRESHOLDS.idleEndsShare * (1 - (given.server_share ?? 1));
  const seen = isOpenLoop && (given.server_foreign_share ?? 0) <= left
    ? { ...given, server_foreign_share: null }
    : given;
  const waited = isOpenLoop ? given.server_wait_share ?? 0 : 0;
  const wait = Math.min(waited, (given.server_foreign_share ?? waited) + (given.steal_share ?? 0));
  if (wait > THRESHOLDS.contendedShare) {
    marks.push(
      mark(
        "contended",
        `others had the servers' core while a thread of the server waited, ${percent(wait)} of the time`,
      ),
    );
  }
  const { frequency_change: frequency, clock_step_ms: step, share_window_ns: window } = seen;
  marks.push(...takenBy(seen).map(({ who, of, share }) => mark("contended", `${who} used ${percent(share)} of ${of}`)));
  // Readings that took as long as this window have no meaningful shares.
  const moment = seen.moment_ns ?? 0;
  if (window !== null && moment > Math.max(THRESHOLDS.contendedShare * window, ROUNDING_NS)) {
    const ms = (moment / 1e6).toFixed(0);
    marks.push(mark("contended", `the driver waited for its turn: reading one moment took ${ms} ms`));
  }
  if (frequency !== null && frequency > THRESHOLDS.frequencyChange) {
    marks.push(
      mark("clock-changed", `the clock rate of the servers' cores changed by ${percent(frequency)} inside the window`),
    );
  }
  if (step !== null && step > THRESHOLDS.clockStepMs) {
    marks.push(mark("clock-changed", `the system's clock was moved by ${step.toFixed(0)} ms inside the window`));
  }
  return marks;
}

/** Returns the most by which a rate could be higher without others: they took time, and made requests dearer. */
export const mostMovedBy = (share: number): number => (1 + DEARER * share) / (1 - share) - 1;

/** Growth of a request's cost with the share of others: half a core makes it three times as dear. */
const DEARER = 4;

function takenBy(seen: Seen) {
  const { server_foreign_share: foreign, steal_share: steal, generator_foreign_share: atGenerator, share_window_ns } =
    seen;
  const rounding = share_window_ns === null ? 0 : ROUNDING_NS / share_window_ns;
  const who = (steal ?? 0) > (foreign ?? 0) ? "the hypervisor and others" : "others";
  return [
    { who, of: "the servers' cores", share: (foreign ?? 0) + (steal ?? 0) },
    { who: "others", of: "the load generator's cores", share: atGenerator ?? 0 },
  ].filter(({ share }) => share > Math.max(THRESHOLDS.contendedShare, rounding));
}

/** The parts of a load that show what other processes took. */
export interface DisturbedLoad {
  readonly marks: readonly Mark[];
  readonly counters: Seen | null;
}

/** Returns the CPU time that others took in the loads they voided, from the least to the most; null without any. */
export function contendedText(loads: readonly DisturbedLoad[]): string | null {
  const voided = loads.filter(({ marks }) => marks.some(isContended));
  const taken = Map.groupBy(
    voided.flatMap(({ counters }) => counters === null ? [] : takenBy(counters)),
    ({ of }) => of,
  );
  const [most] = [...taken].sort(([, a], [, b]) => b.length - a.length);
  if (voided.length < 2 || most === undefined) return voided[0]?.marks.find(isContended)?.text ?? null;
  const [of, found] = most;
  const who = found.find((one) => one.who !== "others")?.who ?? "others";
  const shares = found.map(({ share }) => share);
  const [from, to] = [Math.min(...shares), Math.max(...shares)].map((share) => percent(share));
  return `${who} used ${fromTo(from!, to!)} of ${of}`;
}

/** True if a mark says that others used the cores of a load. */
export const isContended = ({ code }: Mark) => code === "contended";
