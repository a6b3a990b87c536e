import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { counted, formatUs } from "../basics/units.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { threadKind, unsampledThreads } from "../why/use-of-window.ts";
import { ENDS_BY_ITSELF, type ProfileFile, profilerOf, readProfiles } from "../runs/cpu-profile-files.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { raiseThread } from "../machine/priority.ts";
import type { Cell } from "../record/cell-schema.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { mark } from "../record/mark.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { openMember } from "./findings.ts";
import type { Member } from "../record/observation-record.ts";
import { makeReady } from "./make-ready.ts";
import type { Running } from "./running.ts";
import { noServers } from "./servers.ts";
import type { Site } from "./site.ts";
import { Stopped } from "./stopped.ts";
import { systemCallsDuring } from "./system-calls.ts";
import { loadForUse, readServerUse, usedInWindow, type UsedWindow } from "./used-window.ts";

/** The measurements of a cell. */
export interface CellPasses {
  readonly cell: Cell;
  /** The folder of a user's server; null for a suite's own. */
  readonly home: string | null;
  readonly version: string | null;
  /** Pairs of windows next to each other. */
  readonly passes: readonly { readonly plain: UsedWindow; readonly profiled: UsedWindow | null }[];
  /** CPU profiles of the server, one for each process or worker. */
  readonly profiles: readonly ProfileFile[];
  /** System calls per request by name; null if nobody counted. */
  readonly systemCalls: Readonly<Record<string, number>> | null;
  readonly marks: readonly Mark[];
}

interface ExplainLoads {
  /** Load of each server before all others. */
  readonly warmup: Site["plan"]["warmup"];
  /** The first load after a warm-up, in milliseconds, or 0 for none; it counts nothing, because its connections are new. */
  readonly asideMs: number;
  readonly tracedMs: number;
}

/** The loads of `bench explain`. */
export const EXPLAIN_LOADS: ExplainLoads = {
  warmup: { kind: "steady", most_ms: THRESHOLDS.warmupMostMs },
  asideMs: 1_000,
  tracedMs: 2_000,
};

/** The length of a measurement, and its receiver. */
export interface ExplainRequest {
  readonly passes: number;
  readonly windowMs: number;
  readonly loads: ExplainLoads;
  /** The folder of raw profiles, and the beginning of their names. */
  readonly folder: string;
  readonly names: readonly string[];
  readonly interrupts: Pick<Interrupts, "stopped">;
  /** Receives the current activity in words. */
  readonly say: (text: string) => void;
}

interface Pair {
  readonly cell: Cell;
  /** The folder that the server with the profiler writes to. */
  readonly folder: string;
  readonly plain: Member;
  readonly profiled: Member;
  readonly passes: { readonly plain: UsedWindow; readonly profiled: UsedWindow | null }[];
  home: CellPasses["home"];
  systemCalls: CellPasses["systemCalls"];
  readonly marks: Mark[];
}

/** Label of a server with the profiler; it is never recorded. */
const PROFILER = "+profiler";

/** Idle time of a server before and after a window, in ms: the profile may be cut too wide by so much. */
const QUIET_MS = 60;

/**
 * Measures what one or two cells use for a request. Each has two servers, one of them with its runtime's profiler. All are
 * warmed up first. Then each is loaded alone while the others stand still, again and again: forth and back, so that what
 * slows the machine slows both of a pair.
 *
 * @throws Stopped where a server without profiler cannot be measured
 */
export async function explainCells(
  cells: readonly Cell[],
  site: Site,
  request: ExplainRequest,
): Promise<CellPasses[]> {
  const pairs = cells.map((cell, n): Pair => ({
    cell,
    folder: join(request.folder, `.profiles-${n}`),
    plain: openMember(cell),
    profiled: openMember({ ...cell, label: `${cell.label}${PROFILER}` }),
    ...{ passes: [], home: null, systemCalls: null, marks: [] },
  }));
  for (const { folder } of pairs) mkdirSync(folder);
  const members = pairs.flatMap(({ plain, profiled }) => [plain, profiled]);
  const step = lookStep(members.map(({ cell }) => cell));
  const paired = siteOfPairs(pairs, site);
  const servers = noServers(site.hosts, false);
  try {
    request.say(`starting and warming up ${counted(members.length, "server")}`);
    await makeReady(members, step, paired, servers);
    const running = servers.running();
    for (const { plain, profiled, marks } of pairs) {
      if (!running.some(({ member }) => member === plain)) throw new Stopped(plain.marks);
      const watched = running.find(({ member }) => member === profiled);
      if (watched === undefined) marks.push(...profiled.marks);
      else if (!hastenProfiler(watched)) marks.push(PROFILER_WAITS);
    }
    await measurePasses(pairs, running, step, paired, request);
    await countCalls(pairs, running, step, paired, request);
  } finally {
    await servers.stopAll();
  }
  return pairs.map((pair, n): CellPasses => {
    const { cell, home, passes, systemCalls, marks, plain, folder } = pair;
    const profiles = readProfiles(folder, request.names[n]!);
    rmSync(folder, { recursive: true });
    if (profiles.length === 0 && passes.at(-1)?.profiled !== null) marks.push(NO_PROFILE);
    const unsampled = profiles.length === 0 ? [] : unsampledThreads(passes.map((pass) => pass.plain), profiles.length);
    if (unsampled.length > 0) marks.push(unsampledMark(unsampled));
    const once = new Map(marks.toReversed().map((given) => [given.code, given]));
    return {
      cell,
      home,
      passes,
      profiles,
      systemCalls,
      version: plain.server?.version ?? null,
      marks: [...once.values()],
    };
  });
}

/** A step beside a run, which records nothing. */
export const lookStep = (cells: readonly Cell[]): PlannedObservation => ({
  ...{ kind: "ensemble", index: 0, round: 0, draw_seed: 1, purpose: "pair", alone: false },
  cells,
});

const unsampledMark = (threads: ReturnType<typeof unsampledThreads>) =>
  mark(
    "threads-unsampled",
    `nobody sampled ${threads.map(({ where, us }) => `${formatUs(us)} of a request in ${where}`).join(", ")}: ` +
      "these are counted as native code",
  );

const NO_PROFILE = mark(
  "no-profile",
  "no profile was written: it needs a runtime of its own and a server that ends by itself when it is told to",
);

/** The site, in which servers with the profiler get its flags. */
function siteOfPairs(pairs: readonly Pair[], site: Site): Site {
  const pairOf = (cell: Cell) => pairs.find(({ plain, profiled }) => plain.cell === cell || profiled.cell === cell)!;
  return {
    ...site,
    directoryOf: (cell) => site.directoryOf(pairOf(cell).cell),
    specialOf: (cell) => site.specialOf?.(pairOf(cell).cell) ?? {},
    specOf(cell, spec, runtime) {
      const pair = pairOf(cell);
      const { plain, folder } = pair;
      pair.home = spec.kind === "running" ? null : spec.cwd ?? null;
      if (cell === plain.cell || runtime === null || spec.kind === "running") return spec;
      const { flags, env } = profilerOf(runtime.name, folder);
      const ends = spec.kind === "command" ? ENDS_BY_ITSELF : [];
      return { ...spec, runtimeArgs: [...spec.runtimeArgs ?? [], ...flags, ...ends], env: { ...spec.env, ...env } };
    },
  };
}

/**
 * Raises the profiler's thread, which would else run only while the server waits. On another core it would see system
 * calls alone, behind which its signals come.
 */
function hastenProfiler({ server: { pid } }: Running): boolean {
  const profilers = [...readServerUse(pid).threads].filter(([id, { name }]) =>
    threadKind(name, id === pid, true) === "profiler"
  );
  return profilers.map(([id]) => raiseThread(id)).every(Boolean);
}

const PROFILER_WAITS = mark(
  "profiler-waits",
  "its profiler may not go first, which root and CAP_SYS_NICE may let it: it looks when the server waits, so the kernel and " +
    "native code have too much",
);

/** Does something with one server while all others are stopped. */
export async function withOthersStopped<T>({ server: { process } }: Running, work: () => Promise<T>): Promise<T> {
  await process?.kill("SIGCONT");
  await sleep(QUIET_MS);
  try {
    return await work();
  } finally {
    await sleep(QUIET_MS);
    await process?.kill("SIGSTOP");
  }
}

async function measurePasses(
  pairs: readonly Pair[],
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  { passes, windowMs, loads, interrupts, say }: ExplainRequest,
): Promise<void> {
  for (const { server } of running) await server.process?.kill("SIGSTOP");
  for (const each of loads.asideMs === 0 ? [] : running) {
    await withOthersStopped(each, () => loadForUse(each, site, step, 300, loads.asideMs));
  }
  for (let pass = 0; pass < passes && !interrupts.stopped(); pass++) {
    say(`pass ${pass + 1} of ${passes}`);
    const windows = new Map<Member, UsedWindow>();
    for (const each of pass % 2 === 0 ? running : running.toReversed()) {
      const profiled = each.member.cell.label.endsWith(PROFILER);
      const used = await withOthersStopped(
        each,
        () => usedInWindow(each, site, step, { salt: 302 + pass, windowMs, profiled }),
      );
      windows.set(each.member, used.window);
      pairs.find(({ plain, profiled }) => [plain, profiled].includes(each.member))!.marks.push(...used.marks);
    }
    for (const { plain, profiled, passes: made } of pairs) {
      made.push({ plain: windows.get(plain)!, profiled: windows.get(profiled) ?? null });
    }
  }
}

async function countCalls(
  pairs: readonly Pair[],
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  { loads, interrupts, say }: ExplainRequest,
): Promise<void> {
  for (const pair of pairs) {
    if (interrupts.stopped()) return;
    say("counting system calls, under strace");
    const each = running.find(({ member }) => member === pair.plain)!;
    let requests = 0;
    const work = async () =>
      void (requests = (await loadForUse(each, site, step, 301, loads.tracedMs)).result.requests);
    const counted = await withOthersStopped(each, () => systemCallsDuring(each.server.pid!, work, site));
    if (counted === null) continue;
    if ("failed" in counted) pair.marks.push(mark("calls-not-counted", `strace: ${counted.failed}`));
    else if (requests > 0) {
      pair.systemCalls = Object.fromEntries(Object.entries(counted).map(([name, count]) => [name, count / requests]));
    }
  }
}
