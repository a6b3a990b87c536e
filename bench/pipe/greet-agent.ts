import { type BenchError, failure } from "../basics/errors.ts";
import { within } from "../machine/child.ts";
import { LAST_RESORT } from "../machine/last-resort.ts";
import { differenceOf, SAME_SOURCE } from "./identity.ts";
import { type Hello, hello, lineOf, messageOf, PROTOCOL, refusedHello } from "./protocol.ts";
import type { Transport } from "./transport.ts";

/** Lines that shells print when somebody logs in, before the agent says its first one. */
const MOST_PREFACE = 100;

const HOW = `the command must lead to this checkout there: "ssh box1", or "ssh box1 /path/bin/bench agent"`;

/**
 * Says who this is, and waits for an agent that is made from the same source.
 *
 * @throws BenchError where there is none, with why
 */
export async function greetAgent(transport: Transport, name: string, own: Hello): Promise<Hello> {
  const started = performance.now();
  const no = (why: string, hint = HOW): BenchError => failure(`host "${name}": ${why}`, hint);
  transport.write(lineOf(own));
  let line: string | null | "timeout" = null;
  for (let preface = 0; preface <= MOST_PREFACE; preface++) {
    line = await within(LAST_RESORT.greetingMs - (performance.now() - started), transport.next());
    if (line === "timeout") throw no(`no agent answered within ${LAST_RESORT.greetingMs / 1000} s`);
    if (line === null) throw no(`there is no agent: ${await transport.why()}`);
    const message = messageOf(line);
    const refusal = refusedHello.safeParse(message);
    if (refusal.success) throw no(refusal.data.refused, refusal.data.hint ?? SAME_SOURCE);
    const said = hello.safeParse(message);
    if (said.success) {
      const difference = differenceOf(own, said.data);
      if (difference !== null) throw no(difference, SAME_SOURCE);
      return said.data;
    }
    const { schema } = (message ?? {}) as { schema?: unknown };
    if (typeof schema === "string") {
      throw no(`its agent speaks "${schema}", and the driver "${PROTOCOL}"`, SAME_SOURCE);
    }
  }
  throw no(`what is there is no agent: it says "${line!.slice(0, 80)}"`);
}
