import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Unsupported } from "../../servers/app.ts";
import { textOf } from "../../servers/calls/results.ts";
import { inTemporaryFolder, runtime } from "../../tests/testing.ts";
import { programFiles, replyOf } from "./program.ts";
import { open } from "./start.ts";
import { starts } from "./suite.ts";

const MODULES = 12;
const pointAt = (form: string) => ({ suite: "starts", at: { runtime: runtime.name, form, modules: MODULES } });

/** Opens the call of a form, and hands over what one start of it gives. */
const startOf = (form: string, work: (reply: unknown, folder: string) => void) =>
  inTemporaryFolder(async (folder) => {
    const { calls } = await open({ directory: folder, options: { form, modules: MODULES }, runtime: runtime.name });
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

test("a program that ends before it answers is an error, not a start", async () => {
  await inTemporaryFolder(async (folder) => {
    const { calls } = await open({ directory: folder, options: { form: "source", modules: 1 }, runtime: runtime.name });
    writeFileSync(join(folder, "m0.mjs"), "export const other = 1;");
    await assert.rejects(async () => await calls["start"]!(undefined), /ended without a reply \(1\)/);
  });
});
