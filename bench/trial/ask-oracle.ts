import { type CheckTarget, serverChecks, serverIsUp, usersAreFound, WrongAnswer } from "../../servers/server-checks.ts";
import { userMaker } from "../../stores/dataset/user-at.ts";
import { createRandom } from "../core/random.ts";
import type { Reason } from "../core/result/trial-record.ts";
import { THRESHOLDS } from "../core/thresholds.ts";
import { httpClient } from "../host/http-client.ts";

/** What the oracle is asked about. */
export interface OracleQuestion {
  readonly url: string;
  readonly dataSeed: number;
  readonly size: number;
  /** Seed of the sample of users asked for. */
  readonly sampleSeed: number;
  readonly replyTimeoutMs: number;
  /** `health`: one request, to see that the server answers at all. */
  readonly checks?: "all" | "health";
}

/**
 * Compares a server's replies with what the data set alone says they must be: every check that leaves nothing behind,
 * then further users until the oracle's time is up.
 * @returns the number of replies compared, or why the server must not be measured
 */
export async function askOracle(question: OracleQuestion): Promise<{ replies: number } | { failed: Reason }> {
  const { size } = question;
  const random = createRandom(question.sampleSeed);
  const draw = () => Math.floor(random() * size);
  // Both ends of the data set are where off-by-one errors live.
  const hits = [0, size - 1];
  while (hits.length < THRESHOLDS.oracleMinHits) hits.push(draw());
  const client = httpClient(question.url, question.replyTimeoutMs);
  const target: CheckTarget = {
    send: client.send,
    userAt: userMaker(question.dataSeed),
    size,
    hits,
    misses: [size, size + 1 + Math.floor(random() * 1e6), 2 ** 31],
  };
  const started = performance.now();
  let replies = 0;
  try {
    if (question.checks === "health") return { replies: await serverIsUp.run(target) };
    for (const check of serverChecks) {
      if (!check.writes) replies += await check.run(target);
    }
    for (let n = hits.length; n < THRESHOLDS.oracleMaxHits; n++) {
      if (performance.now() - started > THRESHOLDS.oracleBudgetMs) break;
      replies += await usersAreFound.run({ ...target, hits: [draw()] });
    }
    return { replies };
  } catch (error) {
    const message = (error as Error).message;
    if (error instanceof WrongAnswer) return { failed: { code: "wrong-answer", message } };
    const code = message.startsWith("no reply within") ? "server-hung" : "connection-closed";
    return { failed: { code, message } };
  } finally {
    client.close();
  }
}
