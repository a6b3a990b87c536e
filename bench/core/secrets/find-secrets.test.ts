import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../host/runtimes.ts";
import { packOf } from "../../host/pack-run.ts";
import { findSecrets } from "./find-secrets.ts";

const foundIn = (value: unknown) => findSecrets({ "run.json": JSON.stringify(value, null, 2) });

/** Made here, so that no text of this file is a secret to anybody who looks for some. */
const random = (length: number, signs = "aZ3kQ9bX1mT7cR5nW2pL8dV4") =>
  Array.from({ length }, (_, n) => signs[(n * 7 + (n >> 2) * 5) % signs.length]).join("");
const HEX = "3f9a0c7e15b8d246";

const SECRETS: Readonly<Record<string, readonly unknown[]>> = {
  "headers by name": [
    { headers: { Authorization: "Bearer x1" } },
    { headers: { "x-api-key": "k" } },
    { headers: { "Set-Cookie": "session=1; Path=/" } },
    { headers: { "set-cookie": ["a=1", "b=2"] } },
    { headers: { "X-Acme-Access-Token": "abc" } },
    { words: ["--header", "authorization: Bearer abc"] },
    { words: ["--header", "Cookie: sid=5"] },
    { words: ['--request={"path":"/","headers":{"x-auth-token":"abc"}}'] },
  ],
  "addresses": [
    { url: "http://ada:hunter2@127.0.0.1:80/" },
    { text: "cannot reach postgres://app:pw@db:5432/app" },
    { text: "redis://:pw@db" },
    { words: ["ada:hunter2@db.example.org"] },
    { text: `https://${random(24)}@example.org/` },
    { path: "/items?a=1&access_token=abc" },
    { path: "/items?client_secret=abc" },
    { path: "/items?access%5Ftoken=abc" },
    { path: `/items?k=${random(28)}` },
  ],
  "commands": [
    { command: ["node", "s.js", "--password", "hunter2"] },
    { command: ["node", "s.js", "--db-password=hunter2"] },
    { command: ["env", "PGPASSWORD=hunter2", "node"] },
    { command: ["mysql", "-u", "a", "-phunter2"] },
    { command: ["curl", "-u", "ada:hunter2", "http://127.0.0.1"] },
    { command: ["redis-cli", "-a", "hunter2"] },
    { command: ["sshpass", "-p", "hunter2", "ssh", "box"] },
    { words: ["--command", "db=mysql -phunter2"] },
    { command: ["node", "s.js", "-k", random(24)] },
    { command: ["node", "s.js", "-k", random(40, HEX)] },
    { hosts: { server: "env TOKEN=abc ssh box" } },
  ],
  "bodies and texts": [
    { body: '{"user":"ada","password":"hunter2"}' },
    { body: "user=ada&password=hunter2" },
    { body: "<password>hunter2</password>" },
    { text: 'it said: {\\"apiKey\\": \\"abc\\"}' },
    { text: "config: DB_PASSWORD=hunter2" },
  ],
  "known forms": [
    { x: `AKIA${"IOSFODNN7EXAMPLE"}` },
    { x: `ghp_${random(36)}` },
    { x: `github_pat_${random(60)}` },
    { x: `glpat-${random(20)}` },
    { x: `xoxb-${"123456789012"}-${random(12)}` },
    { x: `https://hooks.slack.com/services/T00000000/B00000000/${random(24)}` },
    { x: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${random(30)}` },
    { x: `-----BEGIN RSA ${"PRIVATE"} KEY-----\nMII` },
    { x: `npm_${random(36)}` },
    { x: `sk_live_${random(24)}` },
    { x: `AIza${random(35)}` },
    { x: `sk-proj-${random(40)}` },
    { x: `SG.${random(22)}.${random(43)}` },
    { [`ghp_${random(36)}`]: 1 },
  ],
};

for (const [kind, values] of Object.entries(SECRETS)) {
  test(`secrets are found: ${kind}`, () => {
    for (const value of values) assert.ok(foundIn(value).length > 0, JSON.stringify(value));
  });
}

test("what stands in for a secret, hashes, versions and names are none", () => {
  const values = [
    { headers: { authorization: "Bearer {token}" } },
    { headers: { authorization: "" } },
    { command: ["env", "PGPASSWORD=$PGPASSWORD", "node", "--password", "***"] },
    { headers: { etag: `W/"c-${random(27)}"`, date: "Thu, 26 Nov 2026 07:03:14 GMT" } },
    { headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", accept: "application/json" } },
    { headers: { "content-type": `multipart/form-data; boundary=${random(30)}` } },
    { sha256: random(64, HEX), git_commit: random(40, HEX) },
    {
      command: [
        "docker",
        "run",
        `app@sha256:${random(64, HEX)}`,
        `/nix/store/${random(32, "0a1b2c3d4f5g6h7i8j9k")}-x/x`,
      ],
    },
    { command: ["node", "node_modules/.bin/my-very-long-service-name-v2-x86_64", "npm:hono@4.0.1"] },
    { path: "/items/0f8fad5b-d9cb-469f-a165-70867728950e" },
    { path: "/items/00000000000000000000000000000042?page=2&sort=createdAtDescending2" },
    { text: "SyntaxError: Unexpected token 'a' in JSON; the key 5 and 3 tokens passed at 12:30" },
  ];
  for (const value of values) assert.deepEqual(foundIn(value), [], JSON.stringify(value));
});

test("a secret is told once, where it stands first, and not in full", () => {
  const line = (path: string) => JSON.stringify({ path });
  const secret = `ghp_${random(36)}`;
  const journal = [line("/"), line(`/?x=${secret}`), line(`/?y=${secret}`)].join("\n");
  assert.deepEqual(
    findSecrets({ "journal.ndjson": journal, "run.json": JSON.stringify({ a: 1, x: secret }, null, 2) }),
    [
      { what: "a GitHub token", masked: "ghp_…, 40 characters", file: "journal.ndjson", line: 2, times: 3 },
    ],
  );
  const words = ["node", "s.js", "--password", "hunter2"];
  const [found, ...others] = findSecrets({ "run.json": JSON.stringify({ words }, null, 2) });
  assert.deepEqual([found, others], [
    { what: 'what "--password" is given', masked: "7 characters", file: "run.json", line: 6, times: 1 },
    [],
  ]);
});

test("the reference runs hold nothing like a secret", () => {
  const results = join(PROJECT_ROOT, "results");
  const runs = readdirSync(results).filter((name) => name.startsWith("reference-"));
  assert.ok(runs.length > 0);
  for (const run of runs) assert.deepEqual(findSecrets(packOf(join(results, run)).files), [], run);
});

test("a long text is read in one go", () => {
  for (const text of ["a".repeat(2e6), "a.b-".repeat(5e5), "x:".repeat(1e6), '"'.repeat(1e6), "-u ".repeat(5e5)]) {
    assert.deepEqual(foundIn({ headers: { x: text } }), []);
  }
});
