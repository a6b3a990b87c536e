import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { rowsToDraw, samplesOf } from "./samples.ts";

folderTest("rows are lines without their ends, and one that cannot be sent is named", (folder) => {
  const file = join(folder, "rows.txt");
  for (const none of [file, folder]) assert.throws(() => rowsToDraw(none), /there is no file of rows "/);
  const rows = (content: string | Uint8Array) => (writeFileSync(file, content), rowsToDraw(file));
  assert.deepEqual(rows("a\r\n\nb\rc\r\n"), ["a", "", "b\rc"]);
  assert.throws(() => rows("\ufeffa"), /rows\.txt", line 1: begins with a byte order mark/);
  assert.throws(() => rows("a\nb\0"), /line 2: holds a null byte/);
  assert.throws(() => rows(Buffer.from("a\nb\n\xff", "latin1")), /line 3: is no UTF-8/);
  assert.throws(() => rows(""), /has no lines/);
  const samples = (part: object) =>
    samplesOf({
      pace: { closed: 1 },
      mix: [{ path: "/", expect: [200], ...part }],
      draws: { row: { kind: "rows", file } },
    });
  rows("a\nü b");
  assert.throws(() => samples({ path: "/{row}" }), /line 2: "ü" in a path is written %C3%BC/);
  assert.throws(() => samples({ headers: { a: "{row}" } }), /line 2: cannot stand in header "a"/);
  assert.ok(samples({ body: "{row}" }).length > 0);
});
