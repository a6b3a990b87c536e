/** Requests of one's own that cannot be sent as they are: refused by file and place before anything runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandFaults, type CommandRow } from "./command-faults.ts";

/** A recording of one request. */
const recording = (request: object, response: object = { status: 200 }) =>
  JSON.stringify({
    log: { entries: [{ request: { method: "POST", url: "http://localhost:3000/a", ...request }, response }] },
  });

/** Files of requests, and what is said of each. */
const FILES:
  readonly (readonly [name: string, injected: string, says: RegExp, file: string, content: string | Uint8Array])[] = [
    ["har-body-lost", "a recording without the body", /entry 1: .*is not in it/, "a.har", recording({ bodySize: 9 })],
    [
      "har-file-lost",
      "a recording without the file of a form",
      /entry 1: .*"a\.png" held is not in it/,
      "a.har",
      recording({
        postData: { mimeType: "multipart/form-data; boundary=b", params: [{ name: "f", fileName: "a.png" }] },
      }),
    ],
    [
      "har-not-base64",
      "a recording whose base64 is none",
      /entry 1: .*no base64/,
      "a.har",
      recording({ postData: { text: "a-b", encoding: "base64" } }),
    ],
    [
      "har-pending",
      "a recording of nothing that was answered",
      /has no requests/,
      "a.har",
      recording({}, { status: 0 }),
    ],
    [
      "har-data",
      "a recording of data: addresses alone",
      /has no requests/,
      "a.har",
      recording({ url: "data:text/plain,a" }),
    ],
    ["lines-latin-1", "lines that are no UTF-8", /line 1: it is no UTF-8/, "a.jsonl", Buffer.of(0x7b, 0xff, 0x7d)],
    ["path-unicode", "a path beyond ASCII", /line 1: .*written %C3%BC/, "a.jsonl", '{"path":"/ü"}'],
    [
      "header-line-end",
      "a line end in a header",
      /line 1: "headers\.a": holds "\\n"/,
      "a.jsonl",
      '{"path":"/","headers":{"a":"b\\nc: d"}}',
    ],
    [
      "header-chunked",
      "chunks by hand",
      /line 1: .*bodies go out whole/,
      "a.jsonl",
      '{"path":"/","headers":{"Transfer-Encoding":"chunked"}}',
    ],
    [
      "body-large",
      "a body of 10 MB",
      /line 1: "body": is 10000000 bytes/,
      "a.jsonl",
      JSON.stringify({
        path: "/",
        body: "x".repeat(10_000_000),
      }),
    ],
  ];

const row = ([name, injected, says, file, content]: typeof FILES[number]): CommandRow => [
  name,
  injected,
  2,
  says,
  ({ folder }) => {
    writeFileSync(join(folder, "app.mjs"), "throw new Error('it was started');\n");
    writeFileSync(join(folder, file), content);
    return ["run", "--app", join(folder, "app.mjs"), "--requests", join(folder, file)];
  },
];

/** See above. */
export const REQUEST_FAULTS = commandFaults("input", FILES.map(row));
