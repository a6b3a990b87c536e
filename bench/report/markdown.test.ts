import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  escapeMarkdown,
  markdownBlock,
  markdownCode,
  markdownComment,
  markdownFile,
  markdownTable,
  md,
} from "./markdown.ts";

const text = (...parts: Parameters<typeof md>) => markdownFile([md(...parts)]);

test("whatever is put into a template is text on one line", () => {
  const cases: readonly (readonly [text: string, written: string])[] = [
    ["<b>&amp;", "&lt;b>&amp;amp;"],
    ["# a", "\\# a"],
    ["#1 and GH-2", "#<!-- -->1 and GH-<!-- -->2"],
    ["- a", "\\- a"],
    ["-5 %", "-5 %"],
    ["12. a", "12\\. a"],
    ["1.5 ms", "1.5 ms"],
    ["> a", "\\> a"],
    ["===", "\\==="],
    ["[a]: b", "\\[a\\]: b"],
    ["![a](b)", "!\\[a\\](b)"],
    ["1.2 × [1.1–1.3], [x]", "1.2 × [1.1–1.3], \\[x\\]"],
    ["1 [2](b) [3]: c", "1 \\[2\\](b) \\[3\\]: c"],
    ["a\n\n# b\u202e", "a # b"],
    ["_www.a _https://a", "\\_www<!-- -->.a \\_https:<!-- -->//a"],
    ["`a` | $b$", "\\`a\\` \\| \\$b\\$"],
    ["@", "@<!-- -->"],
    ["\u0000", "\ufffd"],
  ];
  for (const [given, written] of cases) assert.equal(text`${given}`, written);
  assert.equal(text`**${"*"}** ${7} ${md`*${"a"}*`}`, "**\\*** 7 *a*");
  const forged = JSON.parse('{"markdown":"<b>","Symbol(markdown)":"<b>"}');
  assert.doesNotMatch(text`${forged}`, /<b>/);
});

test("code, blocks of code and comments end where they are meant to", () => {
  const file = (...parts: Parameters<typeof markdownFile>[0]) => markdownFile(parts);
  assert.equal(file(markdownCode("a ``b` c")), "```a ``b` c```");
  assert.equal(file(markdownCode("`a`")), "`` `a` ``");
  assert.equal(file(markdownCode("a\n<!-- x -->")), "`a < !-- x -->`");
  assert.equal(file(markdownBlock("a\n```\n<!-- b")), "````text\na\n```\n< !-- b\n````");
  assert.equal(file(markdownComment("a --> <b>")), "<!-- a - -b- -->");
  assert.deepEqual(file(...markdownTable({ heads: ["a|b"], rows: [["c\n|"]], isText: () => true })).split("\n"), [
    "| a\\|b |",
    "| --- |",
    "| c \\| |",
  ]);
});

test("a value may not stand where escaping is no help", () => {
  const value = "x](y)";
  assert.throws(() => md`a \`${value}\``, RangeError);
  assert.throws(() => md`<!-- ${value} -->`, RangeError);
  assert.throws(() => md`<a title="${value}">`, RangeError);
  assert.throws(() => md`${value}(y)`, RangeError);
  for (const away of ["https://evil.example", "//evil.example", "javascript:x", "a b", "a) [b](c"]) {
    assert.throws(() => md`[a](${away})`, RangeError, away);
  }
  assert.equal(text`[${"a"}](../${"b"}/c.md)`, "[a](../b/c.md)");
});

/** Signs of Markdown in a text that is no template of {@link md}. */
const MADE_BY_HAND =
  /(?<!\bmd)`(?:- |> |#{1,6} |\| )?\*\*|(?<!\bmd)`(?:- |> |#{1,6} |\| )\$\{|["`]\| -|\]\(\$\{|["`]```|\\`\\`\\`/;

test("no other file of the driver makes Markdown, and what is written as such is no other text", () => {
  const offenders = [
    "`**${a}**`",
    "`- ${a}`",
    '"| --- |"',
    "`[a](${b})`",
    '"```text"',
    "`\\`\\`\\`text\\n${a}`",
    "`| ${a} |`",
  ];
  for (const offender of offenders) assert.match(offender, MADE_BY_HAND);
  assert.doesNotMatch("md`- ${a} **${b}** [${c}](${d})`".replace(/md`[^`]*`/g, "md``"), MADE_BY_HAND);
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const sources = ["bench", "lab/audits"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`)
  ).map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  assert.ok(sources.length > 300);
  const users = (pattern: RegExp) =>
    sources.filter((name) =>
      pattern.test(
        readFileSync(join(root, name), "utf8").replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(
          /\bmd`(?:\\.|[^`\\])*`/g,
          "md``",
        ),
      )
    );
  assert.deepEqual(users(MADE_BY_HAND), ["bench/report/markdown.ts"]);
  assert.deepEqual(users(/\bescapeMarkdown\(/), ["bench/report/markdown.ts"]);
  assert.deepEqual(users(/\bas MarkdownText\b/), ["bench/report/markdown.ts"]);
  // Pages of this project, around what is written into them.
  assert.deepEqual(users(/\btrustedMarkdown\(/).toSorted(), [
    "bench/exports/suite-results.ts",
    "bench/report/markdown.ts",
    "lab/audits/pages.ts",
  ]);
});

test("an escaped text is escaped once more as the text that it is", () => {
  assert.equal(escapeMarkdown(escapeMarkdown("*")), "\\\\\\*");
});
