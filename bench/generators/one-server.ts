/** What the generators have in common that load one server and say nothing on the way. */
import type { Generator } from "./generator.ts";

/** Of their abilities. */
export const ONE_SERVER = { manyServers: false, watch: false, requests: true } as const;

/** Of how they are run. */
export const UNWATCHED: Pick<Generator, "watch" | "endSignal"> = { watch: () => undefined, endSignal: "SIGINT" };

/** That errors of connections are not told apart, and why. */
export const unsorted = (why: string): Readonly<Record<string, string>> => ({
  "errors.connect": why,
  "errors.read": "see errors.connect",
  "errors.write": "see errors.connect",
});
