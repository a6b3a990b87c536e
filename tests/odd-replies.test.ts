/** Servers whose replies no load generator counts right are named before they are loaded. */
import assert from "node:assert/strict";
import { tryServer } from "./faulty-servers.ts";
import { toolTest } from "./run-bench.ts";

const ODD: readonly (readonly [behaviour: string, code: string, text: RegExp])[] = [
  [
    "early-hints",
    "unread-replies",
    /: interim replies \(103\) before its reply, which wrk counts as replies: --generator .*h2load/,
  ],
  [
    "ends-by-close",
    "unread-replies",
    /: a reply that ends with its connection, .*: send Content-Length, or --generator/,
  ],
  ["changes-protocol", "connection-closed", /it changes the protocol \(101\)/],
];

for (const [behaviour, code, text] of ODD) {
  toolTest(`a server of ${behaviour} is marked ${code} and not loaded`, async () => {
    const { status, marks, requests } = await tryServer({ behaviours: [behaviour] }) as {
      status: string;
      marks: { code: string; text: string }[];
      requests?: unknown;
    };
    assert.notEqual(status, "ok");
    assert.deepEqual(marks.map((mark) => mark.code), [code]);
    assert.match(marks[0]!.text, text);
    assert.equal(requests, undefined);
  });
}
