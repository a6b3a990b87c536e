import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Unsupported } from "../../servers/app.ts";
import { textOf } from "../../servers/calls/text-of.ts";
import { folderTest, inTemporaryFolder, runtime } from "../../tests/testing.ts";
import { prepareDataset, prepareStore } from "../../stores/prepared/prepare.ts";
import { bytesReadBy, coldFact, pageCacheOf } from "./page-cache.ts";
import { programFiles, replyOf, USERS } from "./program.ts";
import { open } from "./start.ts";
import { starts } from "./suite.ts";

const MODULES = 12;
const pointAt = (form: string) => ({
  suite: "starts",
  at: { runtime: runtime.name, form, modules: MODULES, store: "none", cache: "warm" },
});

/** Opens the call of a form, and hands over what one start of it gives. */
const startOf = (form: string, work: (reply: unknown, folder: string) => void) =>
  inTemporaryFolder(async (folder) => {
    const { calls } = await open({
      directory: folder,
      options: { form, modules: MODULES, store: "none" },
      runtime: runtime.name,
    });
    work(await calls["start"]!(undefined), folder);
  });

for (const form of starts.axes.find(({ name }) => name === "form")!.values.map(String)) {
  const here = starts.supports!(pointAt(form));
  (here === true ? test : test.skip)(
    `a program of ${MODULES} modules starts as ${form}, and its reply is right`,
    async () => {
      try {
        await startOf(form, (reply, folder) => {
          assert.equal(reply, replyOf(MODULES));
          const spec = starts.calls!(pointAt(form));
          assert.equal(typeof spec === "object" && spec.results?.text, textOf(reply));
          assert.equal(readdirSync(join(folder, "kept")).length > 0, form === "kept" || runtime.name === "deno");
        });
      } catch (error) {
        // Deno fetches a part of itself for it, which is not everywhere to be had.
        assert.ok(form === "executable" && runtime.name === "deno" && error instanceof Unsupported, String(error));
        assert.match(error.message, /^no executable can be made here: ./);
      }
    },
  );
}

test("each module is in what is started, and counts in its reply", () => {
  const files = programFiles(MODULES, "node");
  assert.equal(Object.keys(files).length, MODULES + 2);
  assert.notEqual(replyOf(MODULES), replyOf(MODULES - 1));
  for (let n = 0; n < MODULES; n++) assert.match(files["bundle.mjs"]!, new RegExp(`const value${n} = `));
});

folderTest("a program that ends before it answers is an error, not a start", async (folder) => {
  const { calls } = await open({
    directory: folder,
    options: { form: "source", modules: 1, store: "none" },
    runtime: runtime.name,
  });
  writeFileSync(join(folder, "m0.mjs"), "export const other = 1;");
  await assert.rejects(async () => await calls["start"]!(undefined), /ended without a reply \(1\)/);
});

for (const store of ["map", "sqlite"] as const) {
  folderTest(`a program opens its ${store} before it answers, and says what it found there`, async (data) => {
    const users = { ...USERS, dataDirectory: data };
    const { directory } = await prepareStore(users, await prepareDataset(users), store);
    const options = { form: "source", modules: MODULES, store };
    const { calls } = await open({ directory, options, runtime: runtime.name });
    const reply = await calls["start"]!(undefined);
    assert.equal(reply, replyOf(MODULES, store));
    assert.notEqual(reply, replyOf(MODULES));
  });
}

folderTest("a cold start reads its files from disk each time, or it is told why it cannot", async (directory) => {
  const options = { form: "source", modules: MODULES, store: "none", cache: "cold" };
  try {
    const { calls, facts } = await open({ directory, options, runtime: runtime.name });
    assert.equal(await calls["start"]!(undefined), replyOf(MODULES));
    assert.match(String(facts!["page cache"]), /^posix_fadvise on 15 files before each start; the first read \d+ MiB/);
  } catch (error) {
    // A folder in memory, a system without it, and Node without its flag.
    assert.ok(error instanceof Unsupported, String(error));
    assert.match(error.message, /^(no file can be dropped from the page cache here: .|its files were dropped, and)/);
  }
});

folderTest(
  "where there is no such C library the reason is told",
  (folder) =>
    assert.rejects(() => pageCacheOf(folder, runtime.name, "libnone.so.6"), {
      name: "Unsupported",
      message: /^no file can be dropped from the page cache here: ./,
    }),
);

test("a start that read nothing from disk was not cold", () => {
  assert.throws(() => coldFact({ files: 3 }, 0), { name: "Unsupported", message: /read 0 bytes from disk$/ });
  assert.match(coldFact({ files: 3 }, 100 * 2 ** 20), /^posix_fadvise on 3 files .* the first read 100 MiB from disk$/);
  assert.equal(bytesReadBy(2 ** 30), 0);
});

test("cold starts share a core with none, not even their like", () => {
  const [warm, cold] = ["warm", "cold"].map((cache) => ({ suite: "starts", at: { ...pointAt("source").at, cache } }));
  assert.equal(starts.together!([warm!, warm!]), true);
  for (const pair of [[warm!, cold!], [cold!, cold!]]) {
    assert.match(String(starts.together!(pair)), /waits for the disk/);
  }
});
