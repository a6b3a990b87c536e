import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { fileReply, serveFolder } from "./folder-server.ts";

function makeFolder(base: string): string {
  const results = join(base, "results");
  mkdirSync(join(results, "run", "cells"), { recursive: true });
  mkdirSync(join(base, "results-secret"));
  writeFileSync(join(base, "secret.txt"), "secret");
  writeFileSync(join(base, "results-secret", "x"), "secret");
  writeFileSync(join(results, "run", "run.json"), "{}");
  writeFileSync(join(results, ".hidden"), "secret");
  symlinkSync(join(base, "secret.txt"), join(results, "run", "link.json"));
  symlinkSync(base, join(results, "up"));
  return results;
}

test("only files inside the folder are served, however a way out is spelled", async () => {
  await inTemporaryFolder((base) => {
    const results = makeFolder(base);
    assert.equal(fileReply(results, "/run/run.json").status, 200);
    const ways = [
      "/../secret.txt",
      "/run/../../secret.txt",
      "/%2e%2e/secret.txt",
      "/..%2fsecret.txt",
      "/%2e%2e%2fresults-secret/x",
      "/run/..\\..\\secret.txt",
      "/run/%5c..%5csecret.txt",
      "/run/link.json",
      "/up/secret.txt",
      "/.hidden",
      "/run/run.json%00.html",
      "/%E0%A4%A",
      "/run",
      "/nothing",
    ];
    for (const way of ways) {
      const reply = fileReply(results, way);
      assert.ok(reply.status >= 400, `${way} gave ${reply.status}`);
      assert.ok(!String(reply.body).includes("secret.txt"), way);
    }
  });
});

function ask(
  url: string,
  options: { method?: string; host?: string; path?: string },
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const { method = "GET", host = `127.0.0.1:${port}`, path = "/" } = options;
    request({ hostname, port, path, method, headers: { host }, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => body += text);
      response.on("end", () => resolve({ status: response.statusCode!, body }));
    }).on("error", reject).end();
  });
}

test("the address of a page without the slash at its end leads to the page", async () => {
  await inTemporaryFolder(async (base) => {
    const folder = makeFolder(base);
    const server = await serveFolder({ folder, port: 0, pageFor: (path) => path === "/run/" ? "<p>run" : undefined });
    try {
      const { url, status, body } = await fetch(`${server.url}run`)
        .then(async (reply) => ({ url: reply.url, status: reply.status, body: await reply.text() }));
      assert.deepEqual([url, status, body], [`${server.url}run/`, 200, "<p>run"]);
      assert.equal((await ask(server.url, { path: "/up" })).status, 403);
    } finally {
      await server.close();
    }
  });
});

test("the server answers this machine under its own name only, and changes nothing", async () => {
  await inTemporaryFolder(async (base) => {
    const folder = makeFolder(base);
    const server = await serveFolder({ folder, port: 0, pageFor: (path) => path === "/" ? "<p>runs" : undefined });
    try {
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
      assert.deepEqual(await ask(server.url, {}), { status: 200, body: "<p>runs" });
      assert.deepEqual(await ask(server.url, { path: "/run/run.json?x=1" }), { status: 200, body: "{}" });
      assert.equal((await ask(server.url, { path: "/run/../../secret.txt" })).status, 403);
      assert.equal((await ask(server.url, { host: "evil.example" })).status, 403);
      assert.equal((await ask(server.url, { method: "POST" })).status, 405);
    } finally {
      await server.close();
    }
  });
});
