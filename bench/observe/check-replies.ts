import type { Audit, Check, Oracle, Target, WrongAnswer } from "../../suites/suite.ts";
import { failureOf } from "../basics/errors.ts";
import { createRandom } from "../basics/random.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Host } from "../pipe/host.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";

/** The reason for not measuring a server: a mark, the status of a reply that is wrong by it, and {@link WrongAnswer.lasting}. */
export interface OracleFault {
  readonly failed: Mark;
  readonly status: number | null;
  readonly lasting: string | null;
}

/** Replies that were compared, or the reason for not measuring the server. */
type OracleAnswer<T> = T | OracleFault;

/** The result of a check: the number of replies and the slowest one's time in ms. */
interface Checked {
  readonly replies: number;
  readonly slowestMs: number;
  /** Replies that some load generators misread, in words. */
  readonly unread: UnreadReplies;
}

/** The first request of each kind whose reply some load generators misread; null without one. */
export interface UnreadReplies {
  /** Interim replies came before it: `GET /: interim replies (103) before its reply`. */
  readonly interim: string | null;
  /** Only the end of the connection ended it. */
  readonly endedByClose: string | null;
}

/** A server to ask, and the host to ask it from. */
export interface Asking {
  readonly url: string;
  readonly from: Pick<Host, "client">;
}

/** Sends one request: it proves that the server answers, and that its queue is empty. */
export function checkAlive(server: Asking, oracle: Oracle, timeoutMs: number): Promise<OracleAnswer<Checked>> {
  return asking(server, timeoutMs, (run) => run(oracle.alive));
}

/** Compares a server's replies with those the oracle expects: every check, then samples until time is up. */
export function checkReplies(
  server: Asking,
  oracle: Oracle,
  seed: number,
  timeoutMs: number,
): Promise<OracleAnswer<Checked>> {
  return asking(server, timeoutMs, async (run) => {
    const random = createRandom(seed);
    const started = performance.now();
    let replies = await run(oracle.alive);
    for (const check of oracle.checks(seed)) replies += await run(check);
    for (let n = 0; oracle.sample !== undefined && n < THRESHOLDS.oracleMaxSamples; n++) {
      if (performance.now() - started > THRESHOLDS.oracleBudgetMs) break;
      replies += await run(oracle.sample(Math.floor(random() * 2 ** 32)));
    }
    return replies;
  });
}

/** Checks the data that a server must hold after the loads. */
export async function runAudit(
  { url, from }: Asking,
  audit: Audit,
  timeoutMs: number,
): Promise<OracleAnswer<{ readonly replies: number; readonly facts: Readonly<Record<string, number>> }>> {
  const client = from.client(url, timeoutMs);
  try {
    const { replies, facts = {} } = await audit.run(client);
    return { replies, facts };
  } catch (error) {
    const { failed, ...fault } = faultOf(error);
    const wrong = failed.code === "wrong-answer";
    return { failed: wrong ? mark("audit-failed", `${audit.name}: ${failed.text}`) : failed, ...fault };
  } finally {
    client.close();
  }
}

async function asking(
  { url, from }: Asking,
  timeoutMs: number,
  work: (run: (check: Check) => Promise<number>) => Promise<number>,
): Promise<OracleAnswer<Checked>> {
  const client = from.client(url, timeoutMs);
  let slowestMs = 0;
  let interim: string | null = null, endedByClose: string | null = null;
  const timed: Target = {
    ...client,
    async send(...sent: Parameters<typeof client.send>) {
      const started = performance.now();
      const reply = await client.send(...sent);
      slowestMs = Math.max(slowestMs, performance.now() - started);
      const name = `${sent[0]} ${sent[1].slice(0, 80)}`;
      if (reply.interim !== undefined) {
        interim ??= `${name}: interim replies (${reply.interim.join(", ")}) before its reply`;
      }
      if (reply.endedByClose) endedByClose ??= `${name}: a reply that ends with its connection`;
      return reply;
    },
  };
  try {
    return { replies: await work((check) => check.run(timed)), slowestMs, unread: { interim, endedByClose } };
  } catch (error) {
    return faultOf(error);
  } finally {
    client.close();
  }
}

function faultOf(error: unknown): OracleFault {
  const message = error instanceof Error ? error.message : String(error);
  // By name: a suite outside this checkout may define another class of that name.
  if (error instanceof Error && error.name === "WrongAnswer") {
    const { status = null, lasting = null } = error as Partial<WrongAnswer>;
    return { failed: mark("wrong-answer", message), status, lasting };
  }
  const late = failureOf(error, "reply-late") !== null;
  return { failed: mark(late ? "server-hung" : "connection-closed", message), status: null, lasting: null };
}
