import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { folderTest } from "../../tests/testing.ts";
import { importsByPaths } from "./tsconfig-paths.ts";

folderTest("names that tsconfig.json gives to places become an import map", (folder) => {
  assert.equal(importsByPaths(folder), null);
  const write = (text: string) => writeFileSync(join(folder, "tsconfig.json"), text);
  write("null");
  assert.equal(importsByPaths(folder), null);
  const url = (path: string) => pathToFileURL(join(folder, path)).href;
  write(`{
      // "paths": none
      "compilerOptions": { /* as // here */
        "paths": { "@/*": ["./src/*", "./else/*"], "~lib": ["lib/index.ts"], "*": ["./types/*"], "a,]": ["b // c"], },
      },
    }`);
  assert.deepEqual(importsByPaths(folder), {
    "@/": url("src/"),
    "~lib": url("lib/index.ts"),
    "a,]": pathToFileURL(join(folder, "b // c")).href,
  });
  write('{"compilerOptions":{"baseUrl":"./src","paths":{"#/*":["*"]}}}');
  assert.deepEqual(importsByPaths(folder), { "#/": url("src/") });
  const base = (name: string, text: string) => writeFileSync(join(folder, name), text);
  base("a.json", '{"compilerOptions":{"baseUrl":"./a","paths":{"a/*":["*"]}}}');
  base("b.json", '{"extends":"./c","compilerOptions":{"strict":true}}');
  base("c.json", '{"extends":"./b.json","compilerOptions":{"paths":{"c":["./c.ts"]}}}');
  write('{"extends":"./a.json"}');
  assert.deepEqual(importsByPaths(folder), { "a/": url("a/") });
  assert.deepEqual(importsByPaths(join(folder, "below", "it")), { "a/": url("a/") }, "found from below");
  write('{"extends":["./a","./b"]}');
  assert.deepEqual(importsByPaths(folder), { c: url("a/c.ts") }, "the last one counts");
  write('{"extends":"./a","compilerOptions":{"paths":{"own":["own.ts"]}}}');
  assert.deepEqual(importsByPaths(folder), { own: url("a/own.ts") });
  write('{"compilerOptions":{}}');
  assert.equal(importsByPaths(folder), null);
  write("no JSON");
  assert.equal(importsByPaths(folder), null);
});
