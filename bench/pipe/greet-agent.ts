import { type BenchError, failure } from "../basics/errors.ts";
import { LIMITS, within } from "../machine/clock.ts";
import { machineId } from "./look-around.ts";
import { dataFolder, PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { levelfieldVersion, sourceSha256 } from "../runs/provenance.ts";
import { type Hello, helloSchema, lineOf, messageOf, PROTOCOL, refusedHello } from "./protocol.ts";
import type { Transport } from "./transport.ts";

/** Returns the identity of this side of a pipe. */
export function ourHello(): Hello {
  return {
    schema: PROTOCOL,
    version: levelfieldVersion(),
    source_sha256: sourceSha256(null),
    root: PROJECT_ROOT,
    data: dataFolder(),
    machine: machineId(),
  };
}

/** Returns why two sides must not work together, naming both; null if they may. */
export function whyMismatched(driver: Hello, agent: Hello): string | null {
  if (driver.source_sha256 === agent.source_sha256) return null;
  const text = ({ version, source_sha256 }: Hello) => `${version}, source ${source_sha256.slice(0, 12)}`;
  return `the driver is Levelfield ${text(driver)}, and its agent is ${text(agent)}`;
}

/** The remedy for different sources. */
export const SAME_SOURCE = "check out the same revision on both hosts, with no file changed on one alone";

/** The most lines that a login shell may print before the agent's first one. */
const MOST_PREFACE = 100;

const HOW = `the command must lead to this checkout there: "ssh box1", or "ssh box1 /path/bin/bench agent"`;

/**
 * Greets an agent and waits for its greeting. It must be made from the same source.
 *
 * @throws BenchError with the reason if there is none
 */
export async function greetAgent(transport: Transport, name: string, ours: Hello): Promise<Hello> {
  const started = performance.now();
  const no = (why: string, hint = HOW): BenchError => failure(`host "${name}": ${why}`, hint);
  transport.write(lineOf(ours));
  let line: string | null | "timeout" = null;
  for (let preface = 0; preface <= MOST_PREFACE; preface++) {
    line = await within(LIMITS.greetingMs - (performance.now() - started), transport.next());
    if (line === "timeout") throw no(`no agent answered within ${LIMITS.greetingMs / 1000} s`);
    if (line === null) throw no(`there is no agent: ${await transport.why()}`);
    const message = messageOf(line);
    const refusal = refusedHello.safeParse(message);
    if (refusal.success) throw no(refusal.data.refused, refusal.data.hint ?? SAME_SOURCE);
    const parsed = helloSchema.safeParse(message);
    if (parsed.success) {
      const difference = whyMismatched(ours, parsed.data);
      if (difference !== null) throw no(difference, SAME_SOURCE);
      return parsed.data;
    }
    const { schema } = (message ?? {}) as { schema?: unknown };
    if (typeof schema === "string") {
      throw no(`its agent speaks "${schema}", and the driver "${PROTOCOL}"`, SAME_SOURCE);
    }
  }
  throw no(`what is there is no agent: it says "${line!.slice(0, 80)}"`);
}
