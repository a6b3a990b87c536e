/** Services that answer a database's protocol with fixed rows, run by wrk's LuaJIT: see docs/services.md. */
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

/** How a null service is started. */
export interface NullServiceOptions {
  readonly protocol: "postgres" | "redis";
  /** Path of wrk; `{wrk}` where a driver puts it in. */
  readonly wrk: string;
  /** Address for clients: `{host}` where a driver puts it in, 127.0.0.1 by default; counts are reported on that alone. */
  readonly host?: string;
  /** Ports on 127.0.0.1 for clients and for {@link readCounts}; any free one where they are 0 or not given. */
  readonly port?: number | string;
  readonly control?: number | string;
  /** The most clients at once, if it differs from the service's. */
  readonly connections?: number;
  /** PostgreSQL's tables by name: absolute paths of files. */
  readonly tables?: Readonly<Record<string, string>>;
  /** Bytes of each of Redis' values. */
  readonly valueBytes?: number;
  /** Ends when its stdin is closed. */
  readonly endsWithStdin?: boolean;
}

/** The command of a null service. Once it listens it prints the line of a service that is ready. */
export function nullServiceCommand(options: NullServiceOptions): readonly [program: string, ...args: string[]] {
  const script = fileURLToPath(new URL(`./${options.protocol}.lua`, import.meta.url));
  const headers = [
    ["control", options.control],
    ["connections", options.connections],
    ["value-bytes", options.valueBytes],
    ["end", options.endsWithStdin === true ? "stdin" : undefined],
    ...Object.entries(options.tables ?? {}).map(([name, file]) => [`table-${name}`, file]),
  ];
  return [
    options.wrk,
    ...["-t1", "-c1", "-d1", "-s", script],
    ...headers.flatMap(([name, value]) => value === undefined ? [] : ["-H", `${name}: ${value}`]),
    `http://${options.host ?? "127.0.0.1"}:${options.port ?? 0}`,
  ];
}

/** Counts of the clients of one database since the service was started. */
export interface NullCounts {
  /** Messages of PostgreSQL, commands of Redis, those at the start of a connection left out. */
  readonly messages: number;
  /** By their letter or name: `P` is Parse, `Q` a simple query. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Times the service waited for a client and then answered it, whatever it had sent until then. */
  readonly round_trips: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly opened: number;
  readonly closed: number;
  /** Connections beyond the limit. */
  readonly refused: number;
  /** Messages without an answer here. */
  readonly unknown: number;
  /** The first twenty of them. */
  readonly unknown_texts: readonly string[];
}

/** The report of a control connection. */
export interface NullReport {
  /** The most clients at once. */
  readonly limit: number;
  /** By database; clients that have not said theirs yet are in "". */
  readonly groups: Readonly<Record<string, NullCounts>>;
}

/**
 * Asks a null service what it has counted, or sets how many clients it takes.
 *
 * @param control its control port
 * @param command `counts` or `limit N`
 * Throws when nobody answers there.
 */
export function askNullService(control: number, command = "counts"): Promise<NullReport> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(control, "127.0.0.1", () => socket.write(`${command}\n`));
    socket.setEncoding("utf8").on("data", (data) => {
      text += data;
      if (text.endsWith("\n")) socket.end();
    });
    socket.once("error", reject);
    socket.once("close", () => text === "" ? reject(new Error("no answer")) : resolve(JSON.parse(text)));
  });
}
