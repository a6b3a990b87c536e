import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { resolveEach, resolveRuntimes } from "../sources/resolve-runtimes.ts";
import { fileSha256, type RuntimeSpec } from "./runtimes.ts";

/** Programs that say a version, by file name, in a folder that is gone afterwards. */
const withPrograms = (texts: Record<string, string>, use: (file: (name: string) => string) => void | Promise<void>) =>
  inTemporaryFolder((folder) => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text, { mode: 0o755 });
    return use((name) => join(folder, name));
  });

const saying = (version: string, note = "") => `#!/bin/sh\n# ${note}\necho ${version}\n`;
const node = (file: string): RuntimeSpec => ({ name: "node", source: { kind: "file", file } });
const labels = async (...specs: RuntimeSpec[]) =>
  (await resolveRuntimes(specs, { folder: tmpdir() })).map(({ label }) => label);

test("a runtime is labelled by the version it says, beside the pinned one", async () => {
  await withPrograms({ a: saying("v24.1.0"), b: saying("v22.9.0-nightly+abc") }, async (file) => {
    const pinned: RuntimeSpec = { name: "node", source: { kind: "pinned" } };
    assert.deepEqual(await labels(pinned, node(file("a")), node(file("b"))), [
      "node@22.9.0-nightly+abc",
      "node@24.1.0",
      "node",
    ]);
  });
});

test("two builds of one version are told apart, and a program asked for twice is said and run once", async () => {
  const [plain, other] = [saying("v24.1.0"), saying("v24.1.0", "other")];
  await withPrograms({ a: plain, b: other, c: other, d: plain }, async (file) => {
    const hash = fileSha256(file("b")).slice(0, 8);
    assert.deepEqual(await labels(node(file("a")), node(file("b"))), ["node@24.1.0", `node@24.1.0-${hash}`]);
    symlinkSync(file("a"), file("link"));
    for (const twice of [["a", "a"], ["a", "link"], ["a", "d"], ["b", "a", "c"]]) {
      const told: string[] = [];
      const specs = twice.map((name) => node(file(name)));
      const each = await resolveEach(specs, { folder: tmpdir(), say: (line) => void told.push(line) });
      assert.equal(each.at(-1)![0], each[0]![0], "both wishes come to one runtime");
      assert.equal(told.length, 1);
      assert.match(told[0]!, /are the same program, node@24\.1\.0: it is run once$/, twice.join());
    }
  });
});

test("runtimes are listed by name and version, whatever order they were asked in", async () => {
  await withPrograms({ a: saying("24.10.0"), b: saying("24.9.0"), c: saying("1.2.0") }, async (file) => {
    const bun: RuntimeSpec = { name: "bun", source: { kind: "file", file: file("c") } };
    assert.deepEqual(await labels(bun, node(file("a")), node(file("b"))), ["node@24.9.0", "node@24.10.0", "bun@1.2.0"]);
  });
});

test("a file that is missing or says no version is named", async () => {
  await withPrograms({ mute: "#!/bin/sh\nexit 7\n" }, async (file) => {
    await assert.rejects(labels(node(file("gone"))), /there is no file ".*gone"/);
    await assert.rejects(labels(node(file("mute"))), /mute --version" does not run: exit 7/);
  });
});

test("a large file that has changed has another hash, whether it was read before or not", async () => {
  await withPrograms({ large: "a".repeat(2_000_000) }, (file) => {
    const first = fileSha256(file("large"));
    assert.equal(first, createHash("sha256").update("a".repeat(2_000_000)).digest("hex"));
    assert.equal(fileSha256(file("large")), first);
    writeFileSync(file("large"), "b".repeat(2_000_000));
    // A clock that ticks slowly must not make both one.
    utimesSync(file("large"), 1, 2);
    assert.equal(fileSha256(file("large")), createHash("sha256").update("b".repeat(2_000_000)).digest("hex"));
  });
});
