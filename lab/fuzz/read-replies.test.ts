import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf } from "./plain-request.ts";
import { readReplies } from "./read-replies.ts";

/** Statuses and bodies of what was read, and the rest. */
function read(text: string, methods: readonly string[] = ["GET"], closed = false) {
  const { replies, rest } = readReplies(bytesOf(text), methods, closed);
  return [...replies.map(({ status, body }) => [status, String.fromCharCode(...body)]), rest];
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

test("replies are read by their length, by their chunks, and up to the close", () => {
  assert.deepEqual(read(""), ["none"]);
  assert.deepEqual(read(OK + OK), [[200, "ok"], [200, "ok"], "none"]);
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
  assert.deepEqual(read(chunked + OK), [[200, "abc0123456789"], [200, "ok"], "none"]);
  const unknown = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nwhy";
  assert.deepEqual(read(unknown), ["begun"]);
  assert.deepEqual(read(unknown, ["GET"], true), [[400, "why"], "none"]);
});

test("a reply cut at any byte has begun, and is never broken", () => {
  for (let n = 1; n < OK.length; n++) assert.deepEqual(read(OK.slice(0, n)), ["begun"], OK.slice(0, n));
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
  for (let n = 1; n < chunked.length; n++) assert.deepEqual(read(chunked.slice(0, n)), ["begun"], chunked.slice(0, n));
});

test("what is no reply is broken, wherever it stands", () => {
  assert.deepEqual(read("ok"), ["broken"]);
  assert.deepEqual(read("HTTP/1.1 101 Switching Protocols\r\n\r\n"), ["broken"]);
  assert.deepEqual(read(OK + "rest"), [[200, "ok"], "broken"]);
});
