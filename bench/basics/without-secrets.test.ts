import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonWithoutSecrets, withoutSecrets } from "./without-secrets.ts";

const SECRET = "s3cr3t-value";

test("the value of a secret is hidden wherever a text names it, and the name stays", () => {
  const texts = [
    `GET /a?api_key=${SECRET}&b=1`,
    `/next?to=%2Fa%3Faccess_token%3D${SECRET}`,
    `{"user":{"api_key":"${SECRET}"}`,
    `{"password": "with spaces ${SECRET}", "a": 1}`,
    `"{\\"token\\":\\"${SECRET}\\"}"`,
    `Set-Cookie: ${SECRET}`,
    `authorization: Bearer ${SECRET}`,
    `Bearer ${SECRET}`,
    `postgres://me:${SECRET}@db/x`,
    `<password>${SECRET}</password>`,
    `<input name="csrf_token" value="${SECRET}">`,
    `<meta name="csrf-token" content="${SECRET}">`,
    `a ghp_0123456789abcdefXYZ${SECRET} b`,
    `client_secret='${SECRET}'`,
  ];
  for (const text of texts) {
    const shown = withoutSecrets(text);
    assert.ok(!shown.includes(SECRET) && shown.includes("•".repeat(SECRET.length)), shown);
    assert.equal(shown.length, text.length, "places stay");
  }
  for (const text of ["GET /items?page=2", '{"name":"x","total":3}', "token: {row}", "password=", "a: b", "12:30"]) {
    assert.equal(withoutSecrets(text), text);
  }
});

test("JSON keeps its names and what is no secret", () => {
  const value = {
    user: { apiKey: SECRET, otp: 123456, name: "x" },
    session: { id: SECRET },
    token: null,
    next: "?sig=12",
  };
  const shown = jsonWithoutSecrets(value);
  assert.equal(shown, '{"user":{"apiKey":"•••","otp":"•••","name":"x"},"session":"•••","token":null,"next":"?sig=••"}');
});

test("a long text takes no longer by more than its length", () => {
  const cpuMs = (text: string) => {
    const before = process.cpuUsage();
    withoutSecrets(text);
    const { user } = process.cpuUsage(before);
    return user / 1_000;
  };
  for (const part of ["a", " ", "a ", "a:", "\\", '"', 'a="', "name=", "://a:"]) {
    const [short, long] = [cpuMs(part.repeat(20_000)), cpuMs(part.repeat(200_000))];
    assert.ok(long < 100 * short + 1_000, `${JSON.stringify(part)}: ${short} and ${long} ms`);
  }
});
