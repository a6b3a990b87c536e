/** A name means one thing in the whole house: what the bench exports is declared once. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";

/** What a file exports by a declaration of its own. */
const declaredIn = (text: string): string[] =>
  [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(([, name]) => name!);

test("no exported name of bench means two things", () => {
  const bench = join(PROJECT_ROOT, "bench");
  const files = readdirSync(bench, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const names = files.flatMap((file) => [...new Set(declaredIn(readFileSync(join(bench, file), "utf8")))]);
  assert.ok(names.length > 1_000, `only ${names.length} names were read`);
  const twice = [...Map.groupBy(names, (name) => name)].filter(([, all]) => all.length > 1).map(([name]) => name);
  assert.deepEqual(twice, []);
});
