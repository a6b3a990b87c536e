import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Content, markup, markupText, trustedMarkup } from "./html.ts";

const text = (parts: TemplateStringsArray, ...values: readonly Content[]) => markupText(markup(parts, ...values));
const HOSTILE = `"><script>alert('x')</script>`;

test("whatever is put into a template is text", () => {
  assert.equal(text`<p title="${HOSTILE}">${HOSTILE}</p>`.match(/[<>]/g)!.length, 4);
  assert.equal(text`${["<", "&"]}${7}${null}`, "&lt;&amp;7");
  // A value that a file calls a figure may be anything.
  assert.equal(text`${"<b>" as unknown as number}`, "&lt;b&gt;");
});

test("markup stays markup, and what is read from JSON never passes for it", () => {
  assert.equal(
    text`<ul>${["a", "<"].map((each) => markup`<li>${each}</li>`)}</ul>`,
    "<ul><li>a</li><li>&lt;</li></ul>",
  );
  assert.equal(text`${trustedMarkup("<hr>")}${null}`, "<hr>");
  const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>"}');
  assert.doesNotMatch(text`${forged}`, /<b>/);
});

test("a value may not stand where escaping is no help", () => {
  assert.throws(() => markup`<p title=${HOSTILE}>`, RangeError);
  assert.throws(() => markup`<p onclick="f(${HOSTILE})">`, RangeError);
  assert.throws(() => markup`<p style="width:${HOSTILE}">`, RangeError);
  assert.throws(() => markup`<a href="${"javascript:alert(1)"}">`, RangeError);
  assert.throws(() => markup`<a href="${"//elsewhere.example"}">`, RangeError);
  assert.equal(text`<a href="${"/run/"}">`, '<a href="/run/">');
  for (const file of ["runs.html", "run/0a1b.html", "../machine-a-2.html"]) {
    assert.equal(text`<a href="${file}">`, `<a href="${file}">`);
  }
  for (const away of ["data:text/html,x", "javascript:x", "..//elsewhere.example", "../../x", "a:b", "a/b/c", ".x"]) {
    assert.throws(() => markup`<a href="${away}">`, RangeError, away);
  }
});

test("no other file of the driver makes markup or puts it into a page", () => {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const users = (pattern: RegExp) => sources.filter((name) => pattern.test(readFileSync(join(root, name), "utf8")));
  assert.ok(sources.length > 40);
  assert.deepEqual(users(/\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTMLUnsafe)\b/), []);
  assert.deepEqual(users(/\bescapeHtml\(/), ["page/html.ts"]);
  // Markup without a template: the doctype, styles, scripts and packed data of the project itself.
  assert.deepEqual(users(/\btrustedMarkup\(/).toSorted(), ["page/html.ts", "page/page-frame.ts"]);
});
