import { join, resolve } from "node:path";
import type { Suite } from "../../suites/suite.ts";
import { present } from "../basics/present.ts";
import { planByItself, planOfRun } from "../options/stored-plan.ts";
import { reasonText } from "../record/finding.ts";
import type { CpuOptions } from "../plan/placement.ts";
import type { Plan } from "../record/plan.ts";
import { stepText } from "../plan/schedule.ts";
import { interruptsOf } from "../machine/interrupts.ts";
import { dataFolder, resultsFolder } from "../runtimes/project-folders.ts";
import type { StoredRun } from "../runs/read-run.ts";
import { checkResultsFolder } from "../runs/run-folder.ts";
import { summaryOf } from "../result/summary-of.ts";
import type { FinishedRun, RunObserver } from "../observe/conduct-run.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { Observation } from "../record/observation-record.ts";
import { hostOptionsOf, onHosts } from "../observe/connect-hosts.ts";
import type { HostOptions } from "../plan/plan-actions.ts";
import { trustedPlan } from "../options/trusted-plan.ts";
import { prepareAgain, type Prepared } from "./conductor.ts";
import { measurePlan } from "./measure-plan.ts";

/**
 * An event of a run. First `preparing` while files of servers are built, then `begun` once. Then `progress` comes before
 * each step and `observation` after it, with a `warning` for each that is not ok. An `answer`
 * follows each round but the last. The last of all is `ended`, once.
 */
export type RunEvent =
  /** Files of servers are being built. */
  | { readonly kind: "preparing"; readonly text: string }
  /** The run has its folder. If it is resumed, some of the planned steps are made already. */
  | { readonly kind: "begun"; readonly folder: string; readonly made: number; readonly planned: number }
  /** A step begins. `remainingMs` is the expected time of it and all later steps. */
  | {
    readonly kind: "progress";
    readonly step: string;
    readonly made: number;
    readonly planned: number;
    readonly remainingMs: number;
  }
  /** A step has ended and is in the journal, whatever its status. */
  | { readonly kind: "observation"; readonly step: string; readonly observation: Observation }
  /** A round is complete, and steps are left: the answer so far, which later rounds may change. */
  | { readonly kind: "answer"; readonly answer: Answer }
  /** A sentence about the validity of figures. */
  | { readonly kind: "warning"; readonly message: string }
  /** The run has ended, and its folder is whole; `result.run.state` is `interrupted` if it was stopped. */
  | { readonly kind: "ended"; readonly result: FinishedRun };

/** Options of a run. */
export interface RunOptions extends CpuOptions {
  /** Folder of runs, in which this one gets a folder named after its start; see docs/library.md for where it is by default. */
  readonly results?: string;
  /** Folder for files built for servers and for fetched runtimes. */
  readonly data?: string;
  /**
   * Where servers and load generator run; see docs/two-machines.md. Here by default, and a run that is resumed where it was.
   */
  readonly hosts?: HostOptions;
  /** Stops the run as Ctrl-C does: the current observation is discarded, earlier ones are kept. */
  readonly signal?: AbortSignal;
  /** The suite object that the plan was made of, if the program made it; else found by the plan's name or module. */
  readonly suite?: Suite;
  /** A stopped run of the same plan to continue. */
  readonly resume?: StoredRun;
  /** Measures a plan of somebody else's with all it names: commands, modules, files and variables. */
  readonly trust?: boolean;
}

/**
 * Measures a plan and yields its events. Nothing is done before the first event is requested. Events wait
 * for whoever takes them, the run waits for nobody; work of seconds on an event belongs in another thread, as it would
 * share the machine with what is measured next. Leaving the loop early stops the run as an abort does, and the loop is
 * left once everything has ended.
 *
 * ```ts measures
 * import { plan, run } from "levelfield";
 * const made = await plan("routes", {
 *   at: { runtime: ["bun"], route: ["health"] },
 *   rounds: 1,
 *   durationMs: 1_000,
 *   warmupMs: 1_000,
 * });
 * for await (const event of run(made, { signal: AbortSignal.timeout(60_000) })) {
 *   if (event.kind === "warning") console.warn(event.message);
 *   if (event.kind === "ended") console.log(event.result.run.state, event.result.folder);
 * }
 * ```
 *
 * @throws BenchError from the loop when another run has the machine (of this process, too), or a tool is missing
 * @throws BenchError when results cannot be written, or a host cannot be reached or is lost
 * @throws BenchError when the plan names what is executed or read, was not made here by this user, and is not trusted
 * @throws BenchError when the plan is not this suite's any more, or other code or tools made the run to resume
 * @throws the signal's reason when it was aborted before anything began
 */
export async function* run(plan: Plan, options: RunOptions = {}): AsyncGenerator<RunEvent, void, void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const { resume, trust = false } = options;
  const wish = options.hosts ?? (resume === undefined ? {} : hostOptionsOf(resume.run));
  const stored = trustedPlan(
    resume === undefined ? planByItself(plan) : planOfRun(resume.run, resume.path),
    { trust, ...(options.hosts === undefined ? { hosts: wish } : {}) },
  );
  const results = resolve(options.results ?? resultsFolder()), data = resolve(options.data ?? dataFolder());
  checkResultsFolder(results);
  const left = new AbortController();
  const interrupts = interruptsOf(signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]));
  const queue = eventQueue<RunEvent>();
  const ended = onHosts(wish, async (hosts) => {
    const venue = { hosts, cache: { folder: join(data, "runtimes") } };
    const prepared = await prepareAgain(venue, stored, options, options.suite);
    return await measurePlan({
      ...prepared,
      resultsDirectory: results,
      dataDirectory: data,
      interrupts,
      observer: () => observerInto(queue, prepared, resume?.lines.length ?? 0),
      ...present({ resume }),
    });
  }).finally(() => interrupts.release()).then((result) => {
    queue.put({ kind: "ended", result });
    queue.close();
  }, queue.fail);
  try {
    yield* queue.take();
  } finally {
    left.abort();
    await ended;
  }
}

function observerInto(queue: EventQueue<RunEvent>, { plan, grade }: Prepared, made: number): RunObserver {
  let planned = 0;
  return {
    prepare(event) {
      if (event.event === "progress") queue.put({ kind: "preparing", text: event.text });
    },
    begin(folder, steps) {
      planned = steps;
      queue.put({ kind: "begun", folder, made, planned });
      if (grade.grade !== "dedicated") {
        queue.put({
          kind: "warning",
          message: `this machine is graded ${grade.grade}: ${grade.reasons.map(reasonText).join("; ")}`,
        });
      }
    },
    stepBegins(step, remainingMs) {
      queue.put({ kind: "progress", step: stepText(plan, step), made, planned, remainingMs });
    },
    roundEnds: (run, lines) => queue.put({ kind: "answer", answer: summaryOf(run, lines).answer }),
    stepEnds(step, observation) {
      made++;
      const name = stepText(plan, step);
      queue.put({ kind: "observation", step: name, observation });
      if (observation.status === "ok") return;
      const why = observation.marks.map(({ text }) => text).join("; ");
      queue.put({ kind: "warning", message: `${name}: ${observation.status}: ${why}` });
    },
  };
}

/** Events on their way from one task to another. */
type EventQueue<T> = ReturnType<typeof eventQueue<T>>;

/** Makes a queue between one task that must not wait and one that may be slow. */
export function eventQueue<T>() {
  const waiting: T[] = [];
  let wake = () => {};
  let over: { readonly error?: unknown } | undefined;
  const end = (how: { readonly error?: unknown }) => {
    over ??= how;
    wake();
  };
  return {
    /** Adds an event without waiting for the receiver. */
    put(event: T): void {
      waiting.push(event);
      wake();
    },
    close: (): void => end({}),
    /** Ends the queue with an error, which the receiver gets after all earlier items. */
    fail: (error: unknown): void => end({ error }),
    /** Yields the events in order, waiting for each. */
    async *take(): AsyncGenerator<T, void, void> {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (over !== undefined) break;
        await new Promise<void>((resolve) => wake = resolve);
      }
      if ("error" in over) throw over.error;
    },
  };
}
