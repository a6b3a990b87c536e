import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import type { TimeTaken } from "../plan/pace.ts";
import { earlierPace, rememberPace } from "./pace-file.ts";

const scans: TimeTaken = {
  suite: "users",
  kind: "solo",
  warmup: "steady",
  servers: 6,
  spentMs: 1_600,
  expectedMs: 1_000,
};
const together: TimeTaken = { ...scans, kind: "ensemble", servers: 160, spentMs: 10_600, expectedMs: 10_000 };

folderTest("what steps took is kept by suite, kind and warm-up, and fades once there is more of it", (folder) => {
  const data = join(folder, "not", "there");
  assert.deepEqual(earlierPace(data), []);
  rememberPace(data, []);
  assert.deepEqual(earlierPace(data), []);
  rememberPace(data, [together]);
  rememberPace(data, [scans]);
  assert.deepEqual(earlierPace(data), [together, scans]);
  rememberPace(data, [{ ...scans, suite: "kv" }, { ...scans, spentMs: 1_200 }]);
  assert.deepEqual(earlierPace(data), [
    together,
    { ...scans, servers: 9, spentMs: 2_000, expectedMs: 1_500 },
    { ...scans, suite: "kv" },
  ]);
  // A clock that jumped is no pace.
  rememberPace(data, [{ ...together, spentMs: 10_000_000 }]);
  assert.deepEqual(earlierPace(data)[0], together);
});

folderTest("a file of paces that is damaged, of another version or beyond belief is as good as none", (data) => {
  const texts = [
    "",
    "{",
    "[]",
    "null",
    '{"share":1.5}',
    JSON.stringify({ taken: [{ ...scans, spentMs: 0 }] }),
    JSON.stringify({ taken: [{ ...scans, spentMs: 1e9 }] }),
    JSON.stringify({ taken: [{ ...scans, kind: "another" }] }),
  ];
  for (const text of texts) {
    writeFileSync(join(data, "pace.json"), text);
    assert.deepEqual(earlierPace(data), [], text);
  }
  rememberPace(data, [scans]);
  assert.deepEqual(earlierPace(data), [scans]);
  rmSync(join(data, "pace.json"));
  const others = join(data, "others.json");
  writeFileSync(others, JSON.stringify({ taken: [together] }));
  symlinkSync(others, join(data, "pace.json"));
  assert.deepEqual(earlierPace(data), [], "a link is not followed");
  rememberPace(data, [scans]);
  assert.equal(readFileSync(others, "utf8"), JSON.stringify({ taken: [together] }));
  assert.deepEqual(earlierPace(data), [scans]);
});
