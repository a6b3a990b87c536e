/** What the package depends on, against what its source imports. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { packageManifest } from "../package/manifest.ts";

const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
const { dependencies, imports, triedWith } = packageManifest(manifest, undefined);

/** A package's name where a module is loaded: `koa` of "koa", `@koa/router` of "@koa/router", `hono` of "hono/jsx"; `#plot`. */
const IMPORT =
  /(?:^(?:import (?!type)[^"\n]*|\} )from |await import\()"((?:@[\w.-]+\/)?[a-z#][\w.-]*)(?:\/[^"\n]*)?"/gm;

/** Packages that the source of folders imports when it runs. */
function imported(...folders: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const folder of folders) {
    for (const file of readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/(?<!\.test|\.d)\.ts$/.test(file)) continue;
      const text = readFileSync(join(PROJECT_ROOT, folder, file), "utf8");
      const found = text.matchAll(IMPORT);
      for (const [, name] of found) names.add(name!);
    }
  }
  return names;
}

test("what the driver and the servers import is a dependency, and what only suites import has its version", () => {
  const ours = imported("bench", "servers"), all = imported("suites", "stores");
  assert.ok(ours.has("zod") && ours.has("@hono/node-server") && all.has("koa") && all.has("drizzle-orm"));
  for (const name of ours) {
    if (["@resvg/resvg-wasm", "levelfield"].includes(name)) continue;
    if (name.startsWith("#")) assert.equal(imports[name], `./package/bundled/${name.slice(1)}.js`);
    else assert.match(dependencies[name] ?? "none", /^(npm:.*@)?\d/, name);
  }
  for (const name of all) assert.match(dependencies[name] ?? triedWith[name] ?? "none", /\d/, name);
  for (const [name, version] of Object.entries(triedWith)) assert.match(version, /^(npm:.*@)?\d+\.\d+\.\d+/, name);
});
