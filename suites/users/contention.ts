import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { scriptArgs } from "../../stores/user/this-runtime.ts";
import type { Contention } from "./audit.ts";
import type { OtherWriterRequest } from "./other-writer.ts";

const SCRIPT = fileURLToPath(new URL("./other-writer.ts", import.meta.url));

/** How long the other process may take to end before it is killed. */
const END_MS = 2_000;

/** A second process that writes the app's file. */
interface OtherWriter {
  /** Stops it writing and says what it counted, and how many rows the file has by then. */
  stop(): Promise<Pick<Contention, "other_writes" | "other_busy" | "rows">>;
  /** Ends it. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Starts the other process on the runtime this one runs on, and waits until it has written. */
export async function startOtherWriter(request: OtherWriterRequest): Promise<OtherWriter> {
  const child = spawn(process.execPath, [...scriptArgs(), SCRIPT, JSON.stringify(request)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const nextLine = linesOf(child);
  try {
    await nextLine();
  } catch (error) {
    // One that does not say what it should must not go on writing.
    child.kill("SIGKILL");
    await ended;
    throw error;
  }
  let counted: ReturnType<OtherWriter["stop"]> | undefined;
  return {
    stop() {
      child.stdin.write("stop\n");
      return counted ??= nextLine().then(({ writes, busy, rows }) => ({
        other_writes: writes!,
        other_busy: busy!,
        rows: rows!,
      }));
    },
    async close() {
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Reads a child's lines one by one; rejects when it ends without another. */
function linesOf(child: ChildProcess): () => Promise<Readonly<Record<string, number>>> {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("the other writer ended");
    return JSON.parse(value);
  };
}

/**
 * An app's handler that counts what becomes of `POST /users` while another process writes the same file.
 * `GET /contention` stops the other process and gives {@link Contention}.
 */
export function contendedFetch(
  fetch: (request: Request) => Response | Promise<Response>,
  other: OtherWriter,
): (request: Request) => Promise<Response> {
  let created = 0;
  let busy = 0;
  return async (request) => {
    if (request.method === "GET" && new URL(request.url).pathname === "/contention") {
      const theirs = await other.stop();
      return Response.json({ created, busy, ...theirs } satisfies Contention);
    }
    const reply = await fetch(request);
    if (reply.status === 201) created += 1;
    if (reply.status === 503) busy += 1;
    return reply;
  };
}
