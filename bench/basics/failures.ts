/**
 * Failures as a code and its facts. Code decides by these and never reads a message; {@link failureText}
 * makes the words, once. A fact named `fault` is the text of somebody else's error, which is shown and never read.
 */

/** The codes of failures, each with the words of its facts. */
const WORDS = {
  "reply-late": ({ ms, state }: { ms: number; state: string | null }) =>
    `no reply within ${Math.round(ms)} ms${state === null ? "" : `: ${state}`}`,
  "reply-malformed": ({ fault }: Fault) => fault,
  "connection-lost": ({ fault }: Fault) => fault,
  "handshake-failed": ({ fault }: Fault) => fault,
  "reply-awaited": ({ path, seconds, state }: { path: string; seconds: number; state: string | null }) =>
    `"${path}" was asked ${seconds} s ago and is not answered yet${
      state === null ? "" : `, ${state}`
    }: name a quicker path with --ready`,
  "connections-closed": ({ fault }: Fault) => `it closes connections without a reply (${fault.slice(0, 80)})`,
  "status-unready": ({ path, status, text }: { path: string; status: number; text: string | null }) =>
    `"${path}" is answered with status ${status}${text === null ? "" : ` ("${text}")`}: name another path with --ready`,
  "listens-on-address": ({ addresses, hostname }: { addresses: readonly string[]; hostname: string }) =>
    `it listens on ${
      addresses.map((address) => address.includes(":") ? `[${address}]` : address).join(" and ")
    } and not on ${hostname}: have it listen on process.env.HOST, or put {host} in its words`,
  "listens-on-port": ({ ports, port }: { ports: readonly number[]; port: number }) =>
    `it listens on port ${ports.join(" and ")} instead of ${port}: ${
      ports.length === 1 ? `--port ${ports[0]} if it always does` : "say which with --port"
    }`,
  "listens-on-several": ({ ports, wanted }: { ports: readonly number[]; wanted: number }) =>
    `it listens on ports ${ports.join(", ")}, and on ${wanted} of PORT it does not: say which with --port`,
  "listens-on-socket": ({ socket }: { socket: string }) =>
    `it listens on the socket ${socket}: have it listen on a port, as PORT says`,
  "is-program": ({ fault }: Fault) => fault,
  "no-app": ({ fault }: Fault) => fault,
  "read-as-commonjs": ({ file, better }: { file: string; better: string | null }) =>
    `package.json says "type": "commonjs", so Node reads ${file} as CommonJS: write "type": "module" there${
      better === null ? "" : `, or call it ${better}`
    }`,
  "port-taken": ({ fault }: Fault) => fault,
  "cannot-serve": ({ runtime, fault }: Fault & { runtime: string }) => `${runtime} cannot serve here: ${fault}`,
  "agent-unfit": ({ host, operation, field, fault }: AgentUnfit) =>
    `host "${host}": its agent's reply to "${operation}" does not fit at ${field}: ${fault}`,
} as const;

interface AgentUnfit extends Fault {
  readonly host: string;
  readonly operation: string;
  readonly field: string;
}

interface Fault {
  readonly fault: string;
}

/** One of the codes of failures. */
export type FailureCode = keyof typeof WORDS;

/** A failure as data. It is plain JSON, so that an agent can send it. */
export type Failure<Code extends FailureCode = FailureCode> = {
  readonly [C in Code]: { readonly code: C; readonly facts: Readonly<Parameters<typeof WORDS[C]>[0]> };
}[Code];

/** Returns the words of a failure, in one line. */
export const failureText = ({ code, facts }: Failure): string => WORDS[code](facts as never);
