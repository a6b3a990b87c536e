import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { loginBy, scram } from "./scram.ts";

/** The example of RFC 7677, section 3. */
const NONCE = "rOprNGfwEbeRWgbNEkqO", SERVER = `${NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0`;
const ANSWER = `r=${SERVER},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`;

test("a login says what RFC 7677 shows, and nothing to an answer to another one", () => {
  const login = scram("pencil", "user", NONCE);
  assert.equal(login.first, `n,,n=user,r=${NONCE}`);
  assert.equal(login.proofFor(ANSWER), `c=biws,r=${SERVER},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`);
  for (const other of [ANSWER.slice(3), ANSWER.replace("i=4096", "i=x"), "e=unknown-user"]) {
    assert.throws(() => login.proofFor(other), /answer is to another login/);
  }
});

test("PostgreSQL is told a password by SCRAM alone", () => {
  const asked = (way: number, text = "") => Buffer.concat([Buffer.from([0, 0, 0, way]), Buffer.from(text)]);
  const answerTo = loginBy("pencil");
  assert.match(answerTo(asked(10))!.toString("latin1"), /^SCRAM-SHA-256\0\0\0\0\x20n,,n=,r=[\w+/]{24}$/);
  for (const way of [0, 12]) assert.equal(answerTo(asked(way)), null);
  // In clear, or by MD5.
  for (const way of [3, 5]) assert.throws(() => answerTo(asked(way)), /in way \d, which is not known/);
});
