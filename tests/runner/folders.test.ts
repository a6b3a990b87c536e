import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DRIVER, ON_THREE, ROOT, testFiles } from "./folders.ts";

test("each file of tests is run, and by one kind of step", () => {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."));
  const there = folders.flatMap(({ name }) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts")).map((file) => `${name}/${file.replaceAll("\\", "/")}`)
  );
  assert.deepEqual(Object.values(testFiles()).flat().sort(), there.sort());
});

test("each folder whose tests run on several runtimes has some", () => {
  const { onThree, driver } = testFiles();
  const has = (files: readonly string[]) => (folder: string) => files.some((file) => file.startsWith(`${folder}/`));
  assert.deepEqual(ON_THREE.filter(has(onThree)), ON_THREE);
  assert.deepEqual(DRIVER.filter(has(driver)), DRIVER);
});
