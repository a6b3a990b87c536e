/** A load generator that lies: a real program on PATH, a real observation. tests/long has more misdeeds. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesWith } from "../lab/faults/marked-processes.ts";
import { factsOf, tryServer } from "./faulty-servers.ts";
import { inTemporaryFolder } from "./testing.ts";
import { toolTest } from "./run-bench.ts";

const SOUND = fileURLToPath(new URL("./fixtures/generators/h2load-1.64.0.txt", import.meta.url));

toolTest("a load generator that counts replies nobody sent spoils its cell, and is named", async () => {
  await inTemporaryFolder(async (folder) => {
    const report = readFileSync(SOUND, "utf8")
      .replace(/^finished in .*$/m, "finished in 1.00s, 50000000 req/s, 0B/s")
      .replace(
        /^requests: .*$/m,
        "requests: 50000000 total, 50000000 started, 50000000 done, 50000000 succeeded, 0 failed, 0 errored, 0 timeout",
      )
      .replace(/^traffic: \S+ \(\d+\)/m, "traffic: 0B (0)");
    // Each request of the recorded ones is in its log, and none of the others.
    const log = fileURLToPath(new URL("./fixtures/generators/h2load-1.64.0.tsv", import.meta.url));
    const script = `#!/bin/sh
[ "$1" = --version ] && { echo "h2load nghttp2/1.64.0"; exit 0; }
: ${folder}
for word; do case $word in --log-file=*) cp '${log}' "\${word#*=}" ;; esac; done
sleep 1; cat <<'END'
${report}
END
`;
    writeFileSync(join(folder, "h2load"), script, { mode: 0o755 });
    const path = process.env["PATH"]!;
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    try {
      const record = await tryServer({ generator: "h2load" });
      assert.notEqual(record.status, "ok", factsOf(record));
      const reason = record.marks.find(({ code }) => code === "claim-contradicted");
      assert.match(reason?.text ?? "", /CPU time allows system calls for: 50000000, at most \d+/, factsOf(record));
    } finally {
      process.env["PATH"] = path;
    }
    assert.deepEqual(processesWith(folder), [], "something outlived its observation");
  });
});
