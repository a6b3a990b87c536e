import type { z } from "zod";
import type { FilesEvent } from "../../../suites/suite.ts";
import { failure } from "../../basics/errors.ts";
import { differenceOf, SAME_SOURCE } from "./identity.ts";
import {
  type AgentRequest,
  answers,
  type Hello,
  hello,
  lineOf,
  PROTOCOL,
  refused,
  type Told,
  told,
} from "./protocol.ts";
import { startTransport } from "./transport.ts";

type Ask = AgentRequest["ask"];
type Asked<A extends Ask> = Omit<Extract<AgentRequest, { ask: A }>, "id" | "ask">;
type Answer<A extends Ask> = z.infer<(typeof answers)[A]>;
type Ended = Extract<Told, { ended: unknown }>;

/** How an answer is awaited. */
interface Wait {
  /** A new one unless it is given. */
  readonly id?: number;
  /** Milliseconds until the host is given up; null waits as long as it takes. */
  readonly mostMs?: number | null;
}

/** A line to an agent, which has said who it is. */
export interface Line {
  readonly there: Hello;
  lost(): string | null;
  newId(): number;
  /** Asks, and checks the answer. Throws a failure: the agent's, or that the host is lost. */
  ask<A extends Ask>(what: A, asked: Asked<A>, wait?: Wait): Promise<Answer<A>>;
  /** Asks without waiting for the answer. */
  post<A extends Ask>(what: A, asked: Asked<A>): void;
  onLine(id: number, listener: (line: string) => void): void;
  onBuilt(id: number, listener: (event: FilesEvent) => void): void;
  /** Resolves when what was asked for with an id has ended, also with the whole host. */
  follow(id: number): Promise<Omit<Ended, "of">>;
  close(): void;
  kill(): void;
  readonly ended: Promise<void>;
}

/** What any answer may take that waits for nothing but the host itself. */
const ANSWER_MS = 15_000;
/** How long a way to a host may take to come about: a job may have to wait for its turn. */
const GREETING_MS = 60_000;
/** Lines that shells print when somebody logs in, before the agent says its first one. */
const MOST_PREFACE = 100;

/** Opens a line to an agent and makes sure that it is made from the same source. Throws a failure where it is not. */
export async function openLine(command: readonly string[], name: string, own: Hello): Promise<Line> {
  const transport = startTransport(command);
  const waiting = new Map<number, { take(message: Told): void; lose(why: string): void }>();
  const lines = new Map<number, (line: string) => void>();
  const builds = new Map<number, (event: FilesEvent) => void>();
  const followed = new Map<number, (end: Omit<Ended, "of">) => void>();
  let why: string | null = null;
  let closed = false;
  let next = 1;
  const goneFailure = () => failure(`host "${name}" is gone: ${why}`, "look at it, then go on with --resume");
  const lose = (reason: string) => {
    if (why !== null) return;
    why = reason;
    for (const { lose } of waiting.values()) lose(reason);
    for (const end of followed.values()) end({ ended: { failed: `host "${name}" is gone` }, stdout: "", stderr: "" });
    waiting.clear();
    followed.clear();
    transport.close();
    if (!closed) transport.kill();
  };

  const { promise: greeted, resolve: greet } = Promise.withResolvers<Hello | { refused: string; hint: string }>();
  let there: Hello | undefined;
  const preface: string[] = [];
  const onGreeting = (line: string) => {
    const json = tryJson(line);
    const no = refused.safeParse(json);
    if (no.success) return greet({ refused: no.data.refused, hint: no.data.hint ?? SAME_SOURCE });
    const said = hello.safeParse(json);
    if (said.success) {
      there = said.data;
      return greet(said.data);
    }
    const schema = (json as { schema?: unknown } | undefined)?.schema;
    if (typeof schema === "string") {
      return greet({ refused: `its agent speaks "${schema}", and the driver "${PROTOCOL}"`, hint: SAME_SOURCE });
    }
    preface.push(line);
    if (preface.length > MOST_PREFACE) {
      greet({ refused: `what is there is no agent: it says "${line.slice(0, 80)}"`, hint: HOW });
    }
  };
  const take = (line: string) => {
    const message = told.safeParse(tryJson(line));
    if (!message.success) return lose(`"${line.slice(0, 80)}" is no message of an agent`);
    const { data } = message;
    if ("re" in data) {
      waiting.get(data.re)?.take(data);
      waiting.delete(data.re);
    } else if ("line" in data) lines.get(data.of)?.(data.line);
    else if ("built" in data) builds.get(data.of)?.(data.built as FilesEvent);
    else {
      const { of, ...end } = data;
      followed.get(of)?.(end);
      followed.delete(of);
      lines.delete(of);
    }
  };
  transport.listen((line) => {
    if (why !== null) return;
    if (there === undefined) onGreeting(line);
    else if (line !== "") {
      const no = refused.safeParse(tryJson(line));
      if (no.success) lose(no.data.refused);
      else take(line);
    }
  }, (reason) => {
    greet({ refused: `there is no agent: ${reason}`, hint: HOW });
    lose(reason);
  });
  transport.write(lineOf(own));
  const timer = setTimeout(
    () => greet({ refused: `no agent answered within ${GREETING_MS / 1000} s`, hint: HOW }),
    GREETING_MS,
  );
  const greeting = await greeted;
  clearTimeout(timer);
  const difference = "refused" in greeting ? greeting.refused : differenceOf(own, greeting);
  if (difference !== null) {
    transport.close();
    transport.kill();
    throw failure(`host "${name}": ${difference}`, "refused" in greeting ? greeting.hint : SAME_SOURCE);
  }
  const agent = greeting as Hello;
  const send = (message: Record<string, unknown>) =>
    transport.write(lineOf(moved(message, own.root, agent.root) as AgentRequest));

  return {
    there: agent,
    lost: () => why,
    newId: () => next++,
    ask(what, asked, { id = next++, mostMs = ANSWER_MS } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer<typeof what>>();
      if (why !== null) return Promise.reject(goneFailure());
      const timer = mostMs === null
        ? undefined
        : setTimeout(() => lose(`"${what}" was not answered within ${mostMs / 1000} s`), mostMs);
      waiting.set(id, {
        take(message) {
          clearTimeout(timer);
          if ("failed" in message) return reject(failure(`host "${name}": ${message.failed}`, message.hint));
          const answer = answers[what].safeParse((message as { value: unknown }).value);
          if (answer.success) return resolve(answer.data as Answer<typeof what>);
          const [first] = answer.error.issues;
          lose(`its answer to "${what}" is wrong at "${first?.path.join(".")}": ${first?.message}`);
          reject(goneFailure());
        },
        lose() {
          clearTimeout(timer);
          reject(goneFailure());
        },
      });
      send({ id, ask: what, ...asked });
      return promise;
    },
    post(what, asked) {
      if (why === null) send({ id: next++, ask: what, ...asked });
    },
    onLine: (id, listener) => void lines.set(id, listener),
    onBuilt: (id, listener) => void builds.set(id, listener),
    follow(id) {
      const { promise, resolve } = Promise.withResolvers<Omit<Ended, "of">>();
      if (why === null) followed.set(id, resolve);
      else resolve({ ended: { failed: `host "${name}" is gone` }, stdout: "", stderr: "" });
      return promise;
    },
    close() {
      closed = true;
      transport.close();
    },
    kill: transport.kill,
    ended: transport.ended,
  };
}

const HOW = `the command must lead to this checkout there: "ssh box1", or "ssh box1 /path/bin/bench agent"`;

/** Data with the driver's paths as they are where the agent is. */
function moved(data: unknown, from: string, to: string): unknown {
  if (from === to) return data;
  if (typeof data === "string") return data.startsWith(from) ? to + data.slice(from.length) : data;
  if (Array.isArray(data)) return data.map((one) => moved(one, from, to));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, moved(value, from, to)]));
}

function tryJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
