import { errorLine } from "../basics/error-line.ts";
import { counted } from "../basics/units.ts";
import { fromHere } from "../files/near-files.ts";
import { moduleEvent, startModuleScript } from "./user-module.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";

interface FailedCheck {
  readonly check: string;
  readonly message: string;
  readonly advice: string;
}

/** The result of a module on one runtime. */
export interface CheckedModule {
  readonly runtime: string;
  readonly version: string;
  /** `unsupported`: it says itself that it does not run there, and `message` why. */
  readonly status: "passed" | "failed" | "unsupported";
  readonly message: string | null;
  readonly checks: number;
  readonly failed: readonly FailedCheck[];
}

/** The time limit of one check in ms: passing ones take a thousandth to a tenth of it. */
const CHECK_MS = 30_000;
const LOOK_MS = 100;
/** The number of checks that may end their process before the rest is skipped. */
const MOST_ENDINGS = 3;

/** Time limits of checks. */
export interface CheckPatience {
  /** The clock that a hanging check is seen by, in milliseconds. */
  readonly now?: () => number;
  /** The time a process may take to end after closing what it opened, in ms; the script's limit by default. */
  readonly endsMs?: number;
}

interface CheckRequest {
  /** See `Axis.modules` in suites/suite.ts. */
  readonly script: string;
  readonly file: string;
  readonly runtime: RuntimeBinary;
  /** An empty folder for files of the checks. */
  readonly folder: string;
  readonly onStart: (kill: () => void) => void;
  readonly patience?: CheckPatience;
}

/** Runs the checks of a module in a process; one that hangs or ends it fails, and the next run in another. */
export async function checkModule(request: CheckRequest): Promise<CheckedModule> {
  const { name: runtime, version } = request.runtime;
  const failed: FailedCheck[] = [];
  let checks = 0;
  const result = (status: CheckedModule["status"], message: string | null = null): CheckedModule => ({
    runtime,
    version,
    status,
    message,
    checks,
    failed,
  });
  for (let from = 0, endings = 0;;) {
    const ended = await runChecks(request, from);
    checks += ended.begun;
    failed.push(...ended.failed);
    if (ended.last === "all") return result(failed.length === 0 ? "passed" : "failed");
    if (ended.last === "unsupported") return result("unsupported", ended.message);
    if (ended.current === null) {
      return result("failed", ended.message);
    }
    const { name: check, place, advice } = ended.current;
    failed.push({ check, message: ended.message, advice });
    from = place + 1;
    if (++endings === MOST_ENDINGS) {
      return result("failed", `${counted(endings, "check")} hung or ended their process: the rest was not tried`);
    }
  }
}

interface Ended {
  readonly last: "all" | "unsupported" | "broken";
  readonly message: string;
  readonly begun: number;
  readonly failed: readonly FailedCheck[];
  readonly current: { readonly name: string; readonly place: number; readonly advice: string } | null;
}

async function runChecks(request: CheckRequest, from: number): Promise<Ended> {
  const { script, file, runtime, folder, onStart, patience: { now = () => performance.now(), endsMs } = {} } = request;
  const places = [from, ...(endsMs === undefined ? [] : [endsMs])].map(String);
  const child = startModuleScript(script, runtime, ["check", file, folder, ...places]);
  onStart(() => child.killAll());
  const failed: FailedCheck[] = [];
  let last: Ended["last"] = "broken";
  let message: string | undefined;
  let begun = 0;
  let current: Ended["current"] = null;
  let heard = now();
  child.onLine((line) => {
    const event = moduleEvent(line);
    if (event === undefined) return;
    heard = now();
    if (event.event === "check") {
      begun += 1;
      current = event;
    } else if (event.event === "wrong") {
      failed.push({ check: current?.name ?? "", message: event.message, advice: current?.advice ?? "" });
    } else if (event.event === "end") last = "all";
    else if (event.event === "unsupported") {
      last = "unsupported";
      message = event.message;
    } else if (event.event === "failed") {
      message = `${event.message}; try: ${event.advice.replaceAll(file, `./${fromHere(file)}`)}`;
    }
  });
  let late = false;
  const look = setInterval(() => {
    if (now() - heard < CHECK_MS) return;
    late = true;
    child.killAll();
  }, LOOK_MS);
  const ending = await child.ended;
  clearInterval(look);
  const how = "failed" in ending ? ending.failed : ending.signal ?? `exit ${ending.code}`;
  const lastError = errorLine(child.stderrTail());
  message ??= late
    ? `it does not come to an end within ${CHECK_MS / 1000} s`
    : `it ended its process (${how})${lastError === null ? "" : `: ${lastError}`}`;
  return { last, message, begun, failed, current };
}
