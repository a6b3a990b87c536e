import type { Readable, Writable } from "node:stream";
import { type BenchError, EXIT, type ExitCode, failure } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { addressFault } from "./checked-reply.ts";
import type { Host } from "./host.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { OPERATIONS } from "./operations.ts";
import { takeMachine } from "../files/run-lock.ts";
import { clearUp } from "../process/scratch-folder.ts";
import { SAME_SOURCE, whyMismatched } from "./greet-agent.ts";
import { readLines } from "./transport.ts";
import { type Hello, helloSchema, isRequest, lineOf, messageOf, PROTOCOL, type Request } from "./protocol.ts";
import { startedHere } from "./started-here.ts";
import { issueText } from "../record/issue-text.ts";

/** The resources of an agent. */
interface AgentSite {
  readonly input: Readable;
  readonly output: Writable;
  readonly host: Host;
  readonly ours: Hello;
  readonly interrupts: Pick<Interrupts, "stop">;
}

/**
 * Works for one driver at the other end of a pipe until that closes: then everything it started is ended. It listens on no
 * port and connects nowhere.
 */
export async function runAgent({ input, output, host, ours, interrupts }: AgentSite): Promise<ExitCode> {
  const { promise: over, resolve: end } = Promise.withResolvers<ExitCode>();
  const send = (message: Parameters<typeof lineOf>[0]) => void output.write(lineOf(message));
  const { asks, endAll } = startedHere(host, send);
  const refuse = ({ message, hint }: Refusal) => {
    const parsed = lineOf({ schema: PROTOCOL, refused: message, ...present({ hint }) });
    output.write(parsed, () => end(EXIT.failed));
  };
  const answer = async (act: () => unknown, { id }: Request) => {
    try {
      send({ re: id, value: await act() ?? null });
    } catch (error) {
      const { message, hint } = error as BenchError;
      send({ re: id, failed: message.split("\n")[0]!, ...present({ hint }) });
    }
  };
  let greeted = false;
  let giveBack = () => {};
  output.on("error", () => end(EXIT.done));
  interrupts.stop.then(() => end(EXIT.interrupted));
  readLines(input, (line) => {
    const message = messageOf(line);
    if (greeted) {
      const act = isRequest(message) ? actOf(message, host, asks) : null;
      if (act === null) return refuse({ message: `"${line.slice(0, 80)}" is no request of a driver` });
      return void answer(act, message as Request);
    }
    const greeting = greetingOf(message, line, ours);
    if ("message" in greeting) return refuse(greeting);
    try {
      // The driver holds its machine for the whole run.
      if (greeting.machine !== ours.machine) {
        giveBack = takeMachine();
        clearUp();
      }
    } catch (error) {
      return refuse(error as BenchError);
    }
    greeted = true;
    output.write(lineOf(ours));
  }, () => end(EXIT.done));
  const exit = await over;
  await endAll();
  giveBack();
  return exit;
}

type Refusal = Pick<BenchError, "message"> & { readonly hint?: string | undefined };

/** Returns the operation of a request by its name; null if there is none. */
function actOf(
  { id, ask, asked: args }: Request,
  host: Host,
  asks: ReturnType<typeof startedHere>["asks"],
): (() => unknown) | null {
  type Act = (...args: readonly unknown[]) => unknown;
  const fault = addressFault(ask, args);
  if (fault !== null) return () => Promise.reject(failure(`"${ask}": ${fault.field}: ${fault.fault}`));
  if (Object.hasOwn(OPERATIONS, ask)) return () => (host[ask as keyof typeof OPERATIONS] as Act)(...args);
  if (Object.hasOwn(asks, ask)) return () => (asks[ask as keyof typeof asks] as Act)(id, ...args);
  return null;
}

/** Returns the identity of the driver, or the reason why an agent refuses it. */
function greetingOf(message: unknown, line: string, ours: Hello): Hello | Refusal {
  const schema = (message as { schema?: unknown } | undefined)?.schema;
  if (schema !== PROTOCOL) {
    const theirs = typeof schema === "string" ? `"${schema}"` : "something else";
    return { message: `the driver speaks ${theirs}, and its agent "${PROTOCOL}"`, hint: SAME_SOURCE };
  }
  const parsed = helloSchema.safeParse(message);
  if (!parsed.success) {
    return { message: `"${line.slice(0, 80)}" is no greeting: ${issueText(parsed.error)}`, hint: SAME_SOURCE };
  }
  const difference = whyMismatched(parsed.data, ours);
  return difference === null ? parsed.data : { message: difference, hint: SAME_SOURCE };
}
