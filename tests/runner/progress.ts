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
  /** When it last was seen at work. */
  readonly worked: Look;
  /** Looks since then. */
  readonly idleLooks: number;
}

/** Time from one look to the next. */
export const LOOK_MS = 5_000;
/** A step that used less CPU time than this from one look to a later one has not worked in between. */
const LEAST_WORK_MS = 1_000;
/** So many looks without work, three minutes of them, are a standstill. A busy machine leaves anyone more than that. */
const MOST_IDLE_LOOKS = 36;
/** CPU time without a word that no test needs: an endless loop. The longest test takes a tenth of it. */
const MOST_SILENT_CPU_MS = 900_000;

/** How a step begins. */
export const BEGUN: Progress = begin({ printedBytes: 0, cpuMs: 0 });

function begin(look: Look): Progress {
  return { printed: look, worked: look, idleLooks: 0 };
}

/** What is known of a step after one more look. */
export function progressed({ printed, worked, idleLooks }: Progress, look: Look): Progress {
  if (look.printedBytes > printed.printedBytes) return begin(look);
  // Less than before: a process has ended that nobody had waited for.
  if (Math.abs(look.cpuMs - worked.cpuMs) >= LEAST_WORK_MS) return { printed, worked: look, idleLooks: 0 };
  return { printed, worked, idleLooks: idleLooks + 1 };
}

/** Why a step is given up; null while it gets on. */
export function stuck({ printed, worked, idleLooks }: Progress): string | null {
  if (idleLooks >= MOST_IDLE_LOOKS) {
    return `stopped: it printed nothing and did nothing for ${idleLooks} looks in a row`;
  }
  const spentMs = worked.cpuMs - printed.cpuMs;
  return spentMs < MOST_SILENT_CPU_MS
    ? null
    : `stopped: it printed nothing while it used ${Math.round(spentMs / 1_000)} s of CPU time`;
}
