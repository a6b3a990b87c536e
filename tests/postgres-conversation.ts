/** Conversations with a PostgreSQL, message by message, for tests. */
import type { ReadyService } from "../servers/service-line.ts";
import { loginBy } from "../suites/drivers/scram.ts";
import { message, messagesOf, startUp, wholeMessages } from "./postgres-messages.ts";
import { type RawClient, rawClient } from "./with-null.ts";

const readies = (bytes: Buffer) => messagesOf(bytes).filter((one) => one.startsWith("Z")).length;

/** Waits until a server has said so many times that it is ready. */
export const ready = (client: RawClient, times: number) => client.received((bytes) => readies(bytes) >= times);

/** What it asks of who connects. */
const asksIn = (bytes: Buffer) => wholeMessages(bytes).filter(({ kind }) => kind === "R");

/** Opens a connection and logs in. */
export async function opened(port: number, database = "postgres", password = ""): Promise<RawClient> {
  const client = await rawClient(port);
  const answerTo = loginBy(password);
  client.send(startUp(database));
  for (let answered = 0;; answered++) {
    const bytes = await client.received((bytes) => readies(bytes) > 0 || asksIn(bytes).length > answered);
    if (readies(bytes) > 0) return client;
    const answer = answerTo(asksIn(bytes)[answered]!.body);
    if (answer !== null) client.send(message("p", answer));
  }
}

/**
 * All a server says, batch by batch.
 *
 * @param batches each is sent after the answer to the one before; it makes the server ready once
 * @param cut splits what is sent
 */
export async function conversation(
  { port, env }: Pick<ReadyService, "port" | "env">,
  batches: readonly (readonly Buffer[])[],
  cut = (bytes: Buffer) => [bytes],
): Promise<string[][]> {
  const client = await opened(port, "postgres", env!["PGPASSWORD"]);
  const said: string[][] = [];
  for (const [n, batch] of batches.entries()) {
    const before = messagesOf(await ready(client, n + 1)).length;
    for (const part of cut(Buffer.concat(batch))) {
      client.send(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    said.push(messagesOf(await ready(client, n + 2)).slice(before));
  }
  client.end();
  return said;
}
