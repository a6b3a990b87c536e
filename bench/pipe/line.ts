import { type BenchError, failure } from "../basics/errors.ts";
import { type Failure, failureText } from "../basics/failures.ts";
import { LIMITS } from "../machine/clock.ts";
import type { ChildEvent } from "./event-schema.ts";
import { greetAgent } from "./greet-agent.ts";
import { type AgentReply, type Hello, lineOf, messageOf, refusedHello, replyOrEvent } from "./protocol.ts";
import { checkedReply, type FieldFault } from "./checked-reply.ts";
import type { AgentOperations } from "./started-here.ts";
import { startTransport } from "./transport.ts";

/** Options of a request: its id, and its time limit. */
interface Wait {
  /** A new one by default. */
  readonly id?: number;
  /** Milliseconds until the host counts as lost; null waits as long as it takes. */
  readonly mostMs?: number | null;
}

/** A line to an agent that has reported its identity. */
export interface PipeLine {
  readonly there: Hello;
  lost(): string | null;
  /** Gives the host up: an agent of this source sends no such reply, so another program is behind the pipe. Returns the error. */
  unfit(operation: keyof AgentOperations, fault: FieldFault): BenchError;
  newId(): number;
  /** Sends a request. Throws a failure: the agent's, or that the host is lost. */
  ask<Name extends keyof AgentOperations>(
    ask: Name,
    args: Parameters<AgentOperations[Name]>,
    wait?: Wait,
  ): Promise<Awaited<ReturnType<AgentOperations[Name]>>>;
  /** Sends a request without waiting for the reply. */
  post<Name extends keyof AgentOperations>(ask: Name, args: Parameters<AgentOperations[Name]>): void;
  /**
   * Passes on events of the thing that the request of that id started, and its end if the host is lost. Returns a function
   * that stops this.
   */
  listen(id: number, listener: (event: ChildEvent) => void): () => void;
  close(): void;
  kill(): void;
  readonly ended: Promise<void>;
}

/** Opens a line to an agent and makes sure that it is made from the same source. Throws a failure where it is not. */
export async function openLine(command: readonly string[], name: string, ours: Hello): Promise<PipeLine> {
  const transport = startTransport(command);
  const there = await greetAgent(transport, name, ours).catch((error) => {
    transport.close();
    transport.kill();
    throw error;
  });
  const awaited = awaitedReplies();
  const listeners = new Map<number, (event: ChildEvent) => void>();
  let lost: string | null = null, closed = false, next = 1;
  const gone = () => failure(`host "${name}" is gone: ${lost}`, "look at it, then go on with --resume");
  const end = (of: number): ChildEvent => ({ of, ended: { failed: `host "${name}" is gone` }, stdout: "", stderr: "" });
  const lose = (why: string) => {
    if (lost !== null) return;
    lost = why;
    awaited.lose(gone());
    for (const [of, listener] of listeners) listener(end(of));
    listeners.clear();
    transport.close();
    if (!closed) transport.kill();
  };
  const unfit = (operation: string, { field, fault }: FieldFault) => {
    const what: Failure = { code: "agent-unfit", facts: { host: name, operation, field, fault } };
    lose(failureText(what));
    return failure(what, "check that the command leads to an agent of this source");
  };
  const take = (line: string) => {
    const message = messageOf(line);
    const refusal = refusedHello.safeParse(message), parsed = replyOrEvent.safeParse(message);
    if (refusal.success) lose(refusal.data.refused);
    else if (!parsed.success) lose(`"${line.slice(0, 80)}" is no message of an agent`);
    else if ("re" in parsed.data) awaited.take(parsed.data);
    else {
      listeners.get(parsed.data.of)?.(parsed.data);
      if ("ended" in parsed.data) listeners.delete(parsed.data.of);
    }
  };
  void (async () => {
    for (let line = await transport.next(); line !== null && lost === null; line = await transport.next()) {
      if (line !== "") take(line);
    }
    lose(await transport.why());
  })();
  const textOf = withRoot(ours.root, there.root);
  const send = (id: number, ask: string, args: readonly unknown[]) =>
    transport.write(lineOf({ id, ask, asked: args }, textOf));

  return {
    there,
    lost: () => lost,
    unfit,
    newId: () => next++,
    async ask(ask, args, { id = next++, mostMs = LIMITS.answerMs } = {}) {
      if (lost !== null) throw gone();
      const late = () => lose(`"${ask}" was not answered within ${mostMs! / 1000} s`);
      const awaiting = awaited.of(id, mostMs, late);
      send(id, ask, args);
      const reply = await awaiting;
      if ("failed" in reply) throw failure(`host "${name}": ${reply.failed}`, reply.hint);
      const read = checkedReply(ask, reply.value);
      if ("fault" in read) throw unfit(ask, read);
      return read.value as never;
    },
    post(ask, args) {
      if (lost === null) send(next++, ask, args);
    },
    listen(id, listener) {
      if (lost === null) listeners.set(id, listener);
      else listener(end(id));
      return () => listeners.delete(id);
    },
    close() {
      closed = true;
      transport.close();
    },
    kill: transport.kill,
    ended: transport.ended,
  };
}

/** Returns a function that translates texts for the other host: paths of the checkout begin with its folder there. */
const withRoot = (here: string, there: string) =>
  here === there ? undefined : (text: string) => text.startsWith(here) ? there + text.slice(here.length) : text;

interface AwaitedReplies {
  /**
   * Resolves with the reply to a request.
   *
   * @param mostMs after which it is late; null waits as long as it takes
   */
  of(id: number, mostMs: number | null, onLate: () => void): Promise<AgentReply>;
  /** Passes a reply to the request that waits for it. */
  take(reply: AgentReply): void;
  /** Rejects all waiting requests, since no reply will come. */
  lose(error: Error): void;
}

function awaitedReplies(): AwaitedReplies {
  const waiting = new Map<number, ReturnType<typeof Promise.withResolvers<AgentReply>>>();
  return {
    of(id, mostMs, onLate) {
      const reply = Promise.withResolvers<AgentReply>();
      const timer = mostMs === null ? undefined : setTimeout(onLate, mostMs);
      waiting.set(id, reply);
      return reply.promise.finally(() => clearTimeout(timer));
    },
    take(reply) {
      waiting.get(reply.re)?.resolve(reply);
      waiting.delete(reply.re);
    },
    lose(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}
