import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { configText, type FirstConfig } from "./config-text.ts";
import { readConfig } from "./read-config.ts";

/** A first config as it is read again. */
const readBack = (first: FirstConfig) =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "levelfield.config.ts"), configText(first));
    return (await readConfig(join(folder, "levelfield.config.ts"))).config;
  });

test("a first config is one that is read without a fault, and says what was found", async () => {
  const odd = 'a "b" c.ts';
  assert.deepEqual(
    await readBack({
      server: { kind: "app", name: "my-shop", file: `./${odd}` },
      runtimes: ["bun"],
      requests: [{ path: "/" }, { path: "/items/1" }, { path: "/now", expect: [200] }],
      others: [{ method: "POST", path: "/items" }],
      ignore: ["header:etag"],
    }),
    {
      app: { "my-shop": `./${odd}` },
      request: ["GET /", "GET /items/1", { path: "/now", expect: [200] }],
      ignore: ["header:etag"],
      at: { runtime: ["bun"] },
      quick: true,
    },
  );
  const program = { kind: "program", name: "shop", file: "./bin/www --a" } as const;
  assert.deepEqual(
    await readBack({
      server: program,
      runtimes: null,
      requests: [{ path: "/a" }],
      others: [],
      ignore: [],
    }),
    { program: { shop: "./bin/www --a" }, request: "GET /a", quick: true },
  );
  assert.deepEqual(
    await readBack({
      server: { kind: "command", name: "server", words: "node 'a b.js'", port: 3000 },
      runtimes: null,
      requests: [],
      others: [],
      ignore: [],
    }),
    // No request that answers with an error.
    { command: { server: "node 'a b.js'" }, port: 3000, quick: true },
  );
});
