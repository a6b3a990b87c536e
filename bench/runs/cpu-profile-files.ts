import { readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SampledProfile } from "../why/samples-within.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import { readPlainFile } from "../files/plain-file.ts";
import { nowUs } from "../machine/clock.ts";
import { withOriginals } from "./original-frames.ts";

/** µs between samples: 2 000 a second cost a tenth of a request of Node or Deno; Bun's meets fewer. */
const SAMPLE_EVERY_US: Readonly<Record<RuntimeName, number>> = { node: 1_000, deno: 1_000, bun: 500 };

/** The way a runtime writes a CPU profile into a folder when it ends by itself: flags before the script, and variables. */
export const profilerOf = (name: RuntimeName, folder: string) => ({
  flags: [
    ...["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_EVERY_US[name]}`],
    ...name === "bun" ? [] : ["--import", fileURLToPath(new URL("../../servers/native-calls.ts", import.meta.url))],
  ],
  // Without it functions that JavaScriptCore has inlined are counted as their callers.
  env: name === "bun" ? { BUN_JSC_alwaysGeneratePCToCodeOriginMap: "1" } : {},
});

/** Flags by which a user's program ends by itself on SIGTERM. */
export const ENDS_BY_ITSELF = ["--import", fileURLToPath(new URL("../../servers/end-on-sigterm.ts", import.meta.url))];

/** A profile, and how far its clock is from the wall's. */
export interface ProfileFile {
  /** The raw profile, whose functions are those of built files. */
  readonly file: string;
  /** Its functions have the places where they were written. */
  readonly profile: SampledProfile;
  /** Add it to a time of the profile to get the wall clock's, in microseconds. */
  readonly behindUs: number;
}

/** More than half an hour of samples under load. */
const MOST_PROFILE_BYTES = 512 * 2 ** 20;

/** Reads the profiles in a folder, each of one process or worker, and gives them names that begin with a word. */
export function readProfiles(folder: string, word: string): ProfileFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile")).sort();
  return names.map((name, n) => {
    const file = `${word}${n === 0 ? "" : `-${n + 1}`}.cpuprofile`;
    const text = readPlainFile(join(folder, name), MOST_PROFILE_BYTES).toString("utf8");
    const { mtimeMs } = statSync(join(folder, name));
    const profile = JSON.parse(text) as SampledProfile & { endTime: number };
    renameSync(join(folder, name), join(folder, "..", file));
    const behindUs = clockBehindUs(profile.endTime, 1_000 * mtimeMs);
    return { file, profile: withOriginals(profile), behindUs };
  });
}

/** A profile is written right after its end; a machine may be slow to, but not by so much. */
const WRITTEN_WITHIN_US = 5e6;

/** Bun's profiles are by the wall's clock, those of V8 by one that began when the machine did, and may have slept with it. */
function clockBehindUs(endTime: number, writtenUs: number): number {
  const guesses = [0, bootedUs(), writtenUs - endTime];
  return guesses.find((behind) => Math.abs(writtenUs - behind - endTime) < WRITTEN_WITHIN_US)!;
}

/** The wall clock when this machine began: the kernel counts hundredths of a second, so the next one is awaited. */
function bootedUs(): number {
  const uptime = () => readFileSync("/proc/uptime", "utf8").split(" ")[0]!;
  try {
    const before = uptime();
    let now = before;
    while (now === before) now = uptime();
    return nowUs() - 1e6 * Number(now);
  } catch {
    return 0;
  }
}
