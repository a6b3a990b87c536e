/** Whether a step still gets on: told from what it printed and the CPU time it used, never from how long it takes. */

/** What a step has done so far. */
export interface Look {
  readonly printedBytes: number;
  /** Its processes together, ended ones too. */
  readonly cpuMs: number;
}

/** What was seen of a step up to its latest look. */
export interface Progress {
  /** When it last printed something: a runner prints each test that ends. */
  readonly printed: Look;
  /** The latest look. */
  readonly last: Look;
  /** Looks in a row, up to the latest, between which it did nothing. */
  readonly idleLooks: number;
  /** Looks since it last printed something. */
  readonly silentLooks: number;
}

/** Time from one look to the next. */
export const LOOK_MS = 5_000;
/** A step that used less CPU time than this from one look to the next has not worked: timers use as much. */
const LEAST_WORK_MS = 100;
/** So many looks without work, three minutes of them, are a standstill. A busy machine leaves anyone more than that. */
const MOST_IDLE_LOOKS = 36;
/** CPU time without a word that no test needs: an endless loop. The longest test takes a tenth of it. */
const MOST_SILENT_CPU_MS = 900_000;

/** An hour of looks without a word, whatever it does. */
const MOST_SILENT_LOOKS = 720;

/** How a step begins. */
export const BEGUN: Progress = begin({ printedBytes: 0, cpuMs: 0 });

function begin(look: Look): Progress {
  return { printed: look, last: look, idleLooks: 0, silentLooks: 0 };
}

/** What is known of a step after one more look. */
export function progressed({ printed, last, idleLooks, silentLooks }: Progress, look: Look): Progress {
  if (look.printedBytes > printed.printedBytes) return begin(look);
  // Less than before: a process has ended that nobody had waited for.
  const idle = Math.abs(look.cpuMs - last.cpuMs) < LEAST_WORK_MS;
  return { printed, last: look, idleLooks: idle ? idleLooks + 1 : 0, silentLooks: silentLooks + 1 };
}

/** Why a step is given up; null while it gets on. */
export function stuck({ printed, last, idleLooks, silentLooks }: Progress): string | null {
  if (silentLooks >= MOST_SILENT_LOOKS) return `stopped: it printed nothing for ${silentLooks} looks in a row`;
  if (idleLooks >= MOST_IDLE_LOOKS) {
    return `stopped: it printed nothing and did nothing for ${idleLooks} looks in a row`;
  }
  const spentMs = last.cpuMs - printed.cpuMs;
  return spentMs < MOST_SILENT_CPU_MS
    ? null
    : `stopped: it printed nothing while it used ${Math.round(spentMs / 1_000)} s of CPU time`;
}
