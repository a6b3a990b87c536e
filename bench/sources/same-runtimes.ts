import { failure } from "../basics/errors.ts";
import { resolveRuntimes } from "./resolve-runtimes.ts";
import type { RuntimeBinary, RuntimeWish } from "../runtimes/runtimes.ts";

/**
 * Finds a driver's runtimes on this host. Throws where one is of another version, naming both.
 *
 * @param folder of fetched ones
 */
export async function sameRuntimes(wanted: readonly RuntimeBinary[], folder: string): Promise<RuntimeBinary[]> {
  const found: RuntimeBinary[] = [];
  for (const runtime of wanted) {
    const [here] = await resolveRuntimes([wishOf(runtime)], { folder });
    if (here!.version !== runtime.version) {
      throw failure(
        `${runtime.label} is ${here!.version} on the agent's host and ${runtime.version} on the driver's`,
        `install the same one on both, or name a version: --runtime ${runtime.name}@${runtime.version}`,
      );
    }
    found.push({ ...here!, label: runtime.label, wanted: runtime.wanted });
  }
  return found;
}

function wishOf({ name, origin, version, wanted }: RuntimeBinary): RuntimeWish {
  if (origin === "fetched") return { name, source: { kind: "version", version } };
  if (origin === "file") return { name, source: { kind: "file", file: wanted.slice(wanted.indexOf("=") + 1) } };
  return { name, source: { kind: "pinned" } };
}
