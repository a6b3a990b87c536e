import assert from "node:assert/strict";
import { test } from "node:test";
import { targetFault } from "./user-spec.ts";

const HERE = "http://127.0.0.1";
const ELSEWHERE = /^is not on this machine: only 127\.0\.0\.1 and localhost/;

/** Addresses, what is wrong with each, and what to give in its place. */
const WRONG: readonly (readonly [text: string, what: RegExp, hint: string])[] = [
  ["http://example.com", ELSEWHERE, `start it here: --target ${HERE}:PORT`],
  ["https://example.com/a", ELSEWHERE, `start it here: --target ${HERE}:PORT`],
  ["example.com:80", ELSEWHERE, `start it here: --target ${HERE}:PORT`],
  ["http://10.0.0.1:8080", ELSEWHERE, `start it here: --target ${HERE}:8080`],
  ["http://localhost@10.0.0.1:81", ELSEWHERE, `start it here: --target ${HERE}:81`],
  ["http://127.0.0.1.example.com:81", ELSEWHERE, `start it here: --target ${HERE}:81`],
  ["http://[::1]:3000", ELSEWHERE, `start it here: --target ${HERE}:3000`],
  ["http://127.0.0.1:80a", /^is no address/, `--target ${HERE}:8080`],
  ["8080", /^is no address/, `--target ${HERE}:8080`],
  ["", /^is no address/, `--target ${HERE}:8080`],
  ["localhost:3000", /^is no plain address/, "--target http://localhost:3000"],
  ["http://a:b@localhost:3000", /^is no plain address/, "--target http://localhost:3000"],
  ["http://localhost", /^names no port/, "--target http://localhost:PORT"],
  ["https://localhost:3000", /^speaks TLS/, "--target http://localhost:3000"],
  ["http://127.0.0.1:8080/x?y", /^has a path$/, `--target ${HERE}:8080 --request "GET /x?y"`],
];

test("an address that is no plain one of a server here is told why, and what to give in its place", () => {
  for (const [text, what, hint] of WRONG) {
    const fault = targetFault(text);
    assert.match(fault?.what ?? "", what, text);
    assert.equal(fault?.hint, hint, text);
  }
  for (const text of ["http://127.0.0.1:8080", "http://localhost:3000/", "http://127.9.9.9:1"]) {
    assert.equal(targetFault(text), null, text);
  }
});
