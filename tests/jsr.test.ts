/** What the other registry would be sent: the source as it is. Nothing is published. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { ranToEnd } from "./testing.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), "utf8"));

/** Types are checked by the gate already; those of schemas are inferred, which the registry calls slow. */
const ARGS = ["publish", "--dry-run", "--allow-dirty", "--allow-slow-types", "--no-check"];
const command = ["NO_COLOR=1", locateRuntime("deno").file, ...ARGS];
const { code, stdout, stderr } = await ranToEnd("env", command, ROOT);
const said = stdout + stderr;
const unreachable = code !== 0 && /error sending request|dns error|client error|JSR package manifest/i.test(said);

(unreachable ? test.skip : test)(
  `a dry run of publishing to JSR is complete${unreachable ? " (it cannot be reached from here)" : ""}`,
  () => {
    assert.equal(code, 0, said);
    const files = [...said.matchAll(/file:\S*\/((?:bench|suites|servers|stores)\/\S+|mod\.ts) \(/g)].map(([, file]) =>
      file!
    );
    assert.ok(files.includes("mod.ts") && files.includes("bench/generators/wrk.lua"), said);
    assert.deepEqual(files.filter((file) => /\.test\.|golden/.test(file)), []);
  },
);

test("both registries are told the same name, version and entries", () => {
  const [npm, jsr] = [read("package.json"), read("deno.json")];
  assert.deepEqual([jsr.version, jsr.license, jsr.exports], [npm.version, npm.license, npm.exports]);
  assert.match(jsr.name, new RegExp(`/${npm.name}$`));
});
