import { fileURLToPath } from "node:url";
import { conditionAxis, connectionsAxis, runtimeAxis } from "../axes.ts";
import type { Suite } from "../suite.ts";
import { NUMBERS, oracle, sentRows } from "./checks.ts";
import { FILES } from "./contents.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Titles that say more than phrases. */
const TITLES: Readonly<Record<string, string>> = {
  json: "a JSON body of 1 MB, read and written",
  gzip: "a text of 100 kB by node:zlib",
  brotli: "a text of 100 kB by node:zlib, quality 4",
  "gzip-web": "a text of 100 kB by CompressionStream",
  "brotli-web": "a text of 100 kB by CompressionStream, which chooses the quality",
};

const reply = conditionAxis({
  name: "reply",
  title: "Reply",
  help: "what is sent: pieces, events, a file, JSON, a compressed text",
  phrases: {
    "chunks-10": "10 pieces of 1 kB",
    "chunks-1000": "1 000 pieces of 1 kB",
    events: "100 server-sent events",
    "file-10k": "a file of 10 kB",
    "file-1m": "a file of 1 MB",
    json: "a JSON body of 1 MB",
    gzip: "gzip by node:zlib",
    brotli: "brotli by node:zlib",
    "gzip-web": "gzip by CompressionStream",
    "brotli-web": "brotli by CompressionStream",
  },
  describe: (value) => TITLES[value] === undefined ? {} : { title: TITLES[value] },
  measured: 8,
});

/** Returns the size of a reply's file in bytes; null if it is no file. */
const fileBytes = (of: string) => of.startsWith("file-") ? FILES[of.slice("file-".length) as keyof typeof FILES] : null;

/** Replies that are long or come in pieces. */
export const stream: Suite = {
  name: "stream",
  subject: "Replies that are long or come in pieces",
  title: "what is long or comes in pieces: streams, events, files, JSON, compressed text",
  axes: [reply, runtimeAxis, connectionsAxis(10)],
  together: () => true,
  // Replies take from 30 µs to some milliseconds.
  expectedWarmupMs: 5_200,
  quick: { at: { reply: reply.values.filter((name) => name !== "file-10k") } },
  probe: { reply: "chunks-10", runtime: "node" },
  files({ at }) {
    const bytes = fileBytes(String(at["reply"]));
    return bytes === null ? null : { builder: pathOf("build.ts"), request: { bytes } };
  },
  server: ({ at }, directory) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("app.ts"),
    options: { reply: at["reply"]! },
    ...(directory === null ? {} : { directory }),
  }),
  requests({ at }) {
    const pace = { closed: at["connections"] as number };
    if (at["reply"] === "json") {
      return { pace, mix: [{ method: "POST", path: "/json/0", body: sentRows(), expect: [200] }] };
    }
    const draws = { n: { kind: "uniform", below: NUMBERS } } as const;
    return { pace, mix: [{ path: `/${at["reply"]}/{n}`, expect: [200] }], draws };
  },
  oracle: ({ at }) => oracle(String(at["reply"])),
};
