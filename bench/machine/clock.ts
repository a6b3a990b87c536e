/** The wall clock in microseconds; of one process, so that a clock that is set makes no two of its readings go back. */
export const nowUs = () => 1_000 * (performance.timeOrigin + performance.now());
