/** How long before a generator looks a slice is read: time to judge it and to say that the load is to end. */
const AHEAD_MS = 20;

/**
 * Length of the next slice of a load in milliseconds: about as long as asked for, and so that it is read just before its
 * generator looks whether to end. What comes after it until then nobody waits for.
 *
 * @param loadedMs for which the load has gone on; not finite where that is not known yet
 * @param looksEveryMs how often the generator looks; undefined where it ends at once
 */
export function nextSliceMs(sliceMs: number, loadedMs: number, looksEveryMs: number | undefined): number {
  if (looksEveryMs === undefined || !Number.isFinite(loadedMs)) return sliceMs;
  const looks = Math.round((loadedMs + sliceMs + AHEAD_MS) / looksEveryMs);
  return Math.max(0, looks * looksEveryMs - AHEAD_MS - loadedMs);
}

/** For how long a load will have gone on in milliseconds that is told to end now. */
export const endsAtMs = (loadedMs: number, looksEveryMs: number | undefined): number =>
  looksEveryMs === undefined ? loadedMs : Math.ceil(loadedMs / looksEveryMs) * looksEveryMs;
