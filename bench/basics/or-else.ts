/** What is read; something else where that throws, for whatever reason: it has ended, is not there, or is somebody else's. */
export function orElse<T, O>(read: () => T, otherwise: O): T | O {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
