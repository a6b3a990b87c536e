import assert from "node:assert/strict";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { contentOf } from "./comparable-reply.ts";

const text = "the same text again and again. ".repeat(20);
const replyOf = (bytes: Buffer, headers: Record<string, string> = {}) => ({
  status: 200,
  headers,
  body: bytes.toString("utf8"),
  base64: bytes.toString("base64"),
});

test("compressed bodies are read, whatever compressed them, and keep the size they were sent in", () => {
  const plain = Buffer.from(text);
  const sent: [string, Buffer][] = [
    ["gzip", zlib.gzipSync(plain)],
    ["X-GZIP", zlib.gzipSync(plain, { level: 1 })],
    ["deflate", zlib.deflateSync(plain)],
    ["deflate", zlib.deflateRawSync(plain)],
    ["br", zlib.brotliCompressSync(plain)],
    ["identity, deflate, gzip", zlib.gzipSync(zlib.deflateSync(plain))],
    ...(zlib.zstdCompressSync ? [["zstd", zlib.zstdCompressSync(plain)] as [string, Buffer]] : []),
  ];
  for (const [encoding, bytes] of sent) {
    const content = contentOf(replyOf(bytes, { "content-encoding": encoding }));
    assert.equal(content.text, text, encoding);
    assert.equal(content.sentBytes, bytes.length);
  }
});

test("a body that is not what its coding says is compared as it was sent", () => {
  const bytes = Buffer.from([0x1f, 0x8b, 1, 2, 0xff]);
  for (const encoding of ["gzip", "unheard-of"]) {
    const content = contentOf(replyOf(bytes, { "content-encoding": encoding }));
    assert.deepEqual([content.text, content.encoding], [null, null]);
    assert.ok(content.bytes.equals(bytes));
  }
  assert.equal(contentOf(replyOf(Buffer.alloc(0), { "content-encoding": "gzip" })).text, "");
});

test("text is read by its charset, and what is no text has none", () => {
  const typed = (bytes: Buffer, type: string) => contentOf(replyOf(bytes, { "content-type": type })).text;
  assert.equal(typed(Buffer.from("caf\u00e9", "latin1"), "text/plain; charset=ISO-8859-1"), "caf\u00e9");
  assert.equal(typed(Buffer.from("caf\u00e9", "utf16le"), 'text/plain; charset="utf-16le"'), "caf\u00e9");
  assert.equal(typed(Buffer.from("caf\u00e9"), "text/plain"), "caf\u00e9");
  assert.equal(typed(Buffer.from("caf\u00e9", "latin1"), "text/plain"), null);
  assert.equal(typed(Buffer.from([0x89, 0x50, 0, 0]), "image/png"), null);
  assert.equal(typed(Buffer.from("a"), "text/plain; charset=nonsense"), null);
});
