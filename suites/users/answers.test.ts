import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fingerprint, folderTest, runtime, sha256 } from "../../tests/testing.ts";
import { curl, type Reply, withServer } from "../../tests/server-client.ts";
import { failuresIn, targetAt } from "../../tests/suite-testing.ts";
import { userMaker } from "../../stores/dataset/user-at.ts";
import { prepareDataset, prepareStore } from "../../stores/prepared/prepare.ts";
import { loadStore, STORE_NAMES } from "../../stores/registry.ts";
import { encodeUser } from "../../stores/user.ts";
import { alive, checks, sample, writingChecks } from "./checks.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";

const APP = fileURLToPath(new URL("./app.ts", import.meta.url));
const SEED = 20_260_101;
const SIZE = 600;
const SERVED = { size: SIZE, dataSeed: SEED };
const userAt = userMaker(SEED);

/** Every check there is, with many samples. */
const CHECKS = [
  alive,
  ...checks(SERVED, 1),
  ...Array.from({ length: 40 }, (_, seed) => sample(SERVED, seed)),
  ...writingChecks(SERVED),
];

/** Requests no check makes, sent to each server in this order. */
async function furtherReplies(url: string): Promise<Record<string, Reply>> {
  const { id } = userAt(0);
  const chunked = "x".repeat(BODY_LIMIT_BYTES * 2);
  const fresh = (change: object) => JSON.stringify({ ...userAt(3_000_000_000), ...change });
  return {
    "chunked, too large": await curl(url, "POST", "/users", { body: chunked, chunked: true }),
    "just small enough": await curl(url, "POST", "/users", { body: fresh({}).padEnd(BODY_LIMIT_BYTES) }),
    "one byte too large": await curl(url, "POST", "/users", { body: " ".repeat(BODY_LIMIT_BYTES + 1) }),
    "chunked, sound": await curl(url, "POST", "/users", { body: encodeUser(userAt(3_000_000_001)), chunked: true }),
    "half a surrogate pair": await curl(url, "POST", "/users", {
      body: fresh({ id: "00000000000000a1", name: "\ud800" }),
    }),
    "a NUL": await curl(url, "POST", "/users", { body: fresh({ id: "00000000000000a2", name: "a\0b" }) }),
    "its bytes": await curl(url, "POST", "/users", {
      body: fresh({ id: "00000000000000a3", name: '雪 "q" \n \u0001 👩‍🚀' }),
    }),
    "its bytes again": await curl(url, "GET", "/users/00000000000000a3"),
    "no body": await curl(url, "POST", "/users"),
    "HEAD of a user": await curl(url, "HEAD", `/users/${id}`),
    "HEAD of nobody": await curl(url, "HEAD", "/users/0000000000000000"),
    "DELETE": await curl(url, "DELETE", `/users/${id}`),
    "PUT": await curl(url, "PUT", `/users/${id}`, { body: "{}" }),
    "OPTIONS": await curl(url, "OPTIONS", "/users"),
    "a query": await curl(url, "GET", `/users/${id}?a=1`),
    "not UTF-8": await curl(url, "GET", "/users/%ff"),
    "double slash": await curl(url, "GET", `//users/${id}`),
  };
}

const STATUS: Record<string, number> = {
  "chunked, too large": 413,
  "just small enough": 201,
  "one byte too large": 413,
  "chunked, sound": 201,
  "half a surrogate pair": 400,
  "a NUL": 400,
  "its bytes": 201,
  "its bytes again": 200,
  "no body": 400,
  "HEAD of a user": 200,
  "HEAD of nobody": 404,
  "DELETE": 404,
  "PUT": 404,
  "OPTIONS": 404,
  "a query": 200,
  "not UTF-8": 400,
  "double slash": 404,
};

/** Of all further replies; a new zod or hono may change a message, then and only then this changes. */
const ANSWERS_SHA256 = "7e38dab869fa4b330bf48e605fc6474394c4fbd3fcec55c361614c240e1a7d99";

/** All replies to {@link furtherReplies} by store; filled by the tests below, compared by the one after them. */
const transcripts = new Map<string, Record<string, Reply>>();

for (const name of STORE_NAMES) {
  const driver = await loadStore(name);
  const engines = runtime.name === "bun" && driver.layout.startsWith("sqlite") ? ["native", "node"] : ["native"];
  for (const engine of engines) {
    const title = `${name}${engine === "node" ? " over node:sqlite" : ""}`;
    folderTest(`${title}: a server process does all that every server must, on a copy it removes`, async (folder) => {
      const request = { dataDirectory: folder, seed: SEED, size: SIZE };
      const { directory } = await prepareStore(request, await prepareDataset(request), name);
      const before = fingerprint(directory);
      const options = JSON.stringify({ store: name, engine, busyTimeout: 5000, dataSeed: SEED });
      const args = ["--module", APP, "--options", options, "--directory", directory, "--copy"];
      await withServer(args, async ({ ready, run, stop }) => {
        assert.equal(ready.runtime, runtime.name);
        assert.equal(ready.pid, run.pid);
        assert.equal(new URL(ready.url).hostname, "127.0.0.1");
        assert.ok(ready.diskBytes! > 0);
        assert.equal("pragma journal_mode" in ready.facts, driver.layout.startsWith("sqlite"));
        assert.ok(readdirSync(dirname(directory)).includes(`.scratch-${ready.pid}-${driver.layout}`));

        assert.deepEqual(await failuresIn(CHECKS, targetAt(ready.url)), []);
        const replies = await furtherReplies(ready.url);
        transcripts.set(title, replies);
        const statuses = Object.fromEntries(Object.entries(replies).map(([what, reply]) => [what, reply.status]));
        assert.deepEqual(statuses, STATUS);
        assert.equal(replies["HEAD of a user"]?.body, "");
        // Deno says once that hono, reading a chunked body, clones the request; nothing else may be said.
        assert.equal(run.stderr().replace(/^Deno\.serve: request\.signal aborts.*\n/m, ""), "");
        await stop();
      });
      assert.deepEqual(readdirSync(dirname(directory)).sort(), ["dataset", driver.layout].sort());
      assert.deepEqual(fingerprint(directory), before);
    });
  }
}

test("all stores answer with the same bytes, and those are the same on all runtimes", () => {
  for (const [title, replies] of transcripts) {
    assert.equal(
      sha256(JSON.stringify(Object.entries(replies))),
      ANSWERS_SHA256,
      `${title}: ${JSON.stringify(replies)}`,
    );
  }
});
