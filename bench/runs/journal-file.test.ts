import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { folderTest } from "../../tests/testing.ts";
import { MOST_BYTES } from "../files/plain-file.ts";
import { JOURNAL, journalName, PACKED_JOURNAL, packJournal, readJournal, unpackJournal } from "./journal-file.ts";

folderTest(
  "raw lines are read alike packed and unpacked, and never from two files or one that unpacks without end",
  (run) => {
    const lines = '{"a":1}\n'.repeat(100);
    writeFileSync(join(run, JOURNAL), lines);
    packJournal(run);
    packJournal(run);
    assert.deepEqual([journalName(run), readJournal(run).toString()], [PACKED_JOURNAL, lines]);
    unpackJournal(run);
    assert.deepEqual([journalName(run), readJournal(run).toString()], [JOURNAL, lines]);
    writeFileSync(join(run, PACKED_JOURNAL), gzipSync(lines));
    assert.throws(() => readJournal(run), /journal\.ndjson\.gz stands beside it/);
  },
);

folderTest("a packed journal that is none, or larger than any run's, is refused in one line", (run) => {
  for (const bytes of [Buffer.from("no gzip"), gzipSync(Buffer.alloc(MOST_BYTES + 1))]) {
    writeFileSync(join(run, PACKED_JOURNAL), bytes);
    assert.throws(
      () => readJournal(run),
      /cannot read ".+journal\.ndjson\.gz": it is no gzip file, or holds more than 64\.0 MiB/,
    );
  }
});
