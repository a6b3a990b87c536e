import type { SqliteEngineName } from "../store.ts";

/** The first Node with node:ffi; some later one needs no flag for it any more, and takes the flag all the same. */
const FIRST_WITH_FFI = [26, 1] as const;

/**
 * Flags a runtime needs before the script so that an engine can be opened.
 * @param runtime `node`, `node@26.2.0`, `node=/path`; a file's version is not known here, so it gets no flag it may refuse
 */
export function engineRuntimeArgs(engine: SqliteEngineName, runtime: string): string[] {
  const node = /^node(?:@(\d+)\.(\d+).*)?$/.exec(runtime);
  if (engine !== "library" || node === null) return [];
  const [major, minor] = node.slice(1).map(Number) as [number, number];
  const older = major < FIRST_WITH_FFI[0] || (major === FIRST_WITH_FFI[0] && minor < FIRST_WITH_FFI[1]);
  // Without the second flag Node's first line on stderr is a warning.
  return older ? [] : ["--experimental-ffi", "--disable-warning=ExperimentalWarning"];
}
