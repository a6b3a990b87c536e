/** One run that cannot be read costs nobody the others: not in a list, a comparison, a page nor a row of runs. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeSealedRun } from "../lab/write-run.ts";
import { makePlausible } from "./fixtures/plausible-run.ts";
import { benchHere } from "./command-line.ts";
import { onSite } from "./run-bench.ts";

const small = makePlausible({ stores: ["map"], sizes: [10_000], together: "all", rounds: 6 });

/** The same run under a name of one letter or more, of a minute of its own. */
function named(name: string): typeof small {
  const later = (time: string) => new Date(Date.parse(time) + 60_000 * name.charCodeAt(0)).toISOString();
  const { started_at, finished_at } = small.run;
  return {
    run: { ...small.run, run: name, started_at: later(started_at), finished_at: later(finished_at!) },
    lines: small.lines.map((line) => ({ ...line, started_at: later(line.started_at) })),
  };
}

test("a run that cannot be read is left out and told, and the others are shown", () =>
  onSite(async (site) => {
    const at = (name: string) => join(site.results, name);
    for (const name of ["a", "b", "c", "bad"]) writeSealedRun(at(name), named(name));
    writeFileSync(join(at("bad"), "run.json"), "{");
    writeFileSync(join(at("bad"), "summary.json"), "{");
    const lines: [args: readonly string[], code: number, told: RegExp, shown: RegExp][] = [
      [["show", "--list"], 0, /^/, /^c .*[^]*\nb .*[^]*\na .*[^]*\nbad .*[^]*damaged/],
      [
        ["report", "a", "bad", "b", "--output", join(site.folder, "page.html")],
        3,
        /left out: bad: .*run\.json/,
        /html/,
      ],
      [["compare", "a,bad", "b,c"], 3, /left out: bad: .*run\.json" is damaged/, /\bb,c\b/],
      [["compare"], 3, /left out: .*bad: /, /\S/],
    ];
    for (const [args, code, told, shown] of lines) {
      const ended = await benchHere(site, args);
      assert.equal(ended.code, code, `${args.join(" ")}: ${ended.stdout}${ended.stderr}`);
      assert.match(ended.stderr, told, args.join(" "));
      assert.match(ended.stdout, shown, args.join(" "));
    }
    // Every command that needs the lines names what is wrong with them.
    const journal = join(at("a"), "journal.ndjson"), sound = readFileSync(journal, "utf8");
    for (const text of ["\0\x01}\n", `\n${sound}`, null]) {
      if (text === null) rmSync(journal);
      else writeFileSync(journal, text);
      const told = text === null
        ? /cannot read ".*journal\.ndjson": ENOENT/
        : /journal\.ndjson.* is damaged: it is no JSON/;
      for (const line of [["report", "a"], ["compare", "b", "a"], ["reproduce", "a"], ["run", "--resume", "a"]]) {
        const refused = await benchHere(site, line);
        assert.deepEqual([refused.code, told.test(refused.stderr)], [1, true], `${line.join(" ")}: ${refused.stderr}`);
      }
    }
    const resumed = await benchHere(site, ["run", "--resume", "b"]);
    assert.deepEqual([resumed.code, /is finished/.test(resumed.stderr)], [2, true], resumed.stderr);
    const folder = await benchHere(site, ["report", "b", "--output", site.folder]);
    assert.deepEqual([folder.code, /cannot write ".*": EISDIR/.test(folder.stderr)], [1, true], folder.stderr);
    const format = await benchHere(site, ["report", "b", "--format", "toString"]);
    assert.deepEqual([format.code, /unknown format "toString"/.test(format.stderr)], [2, true], format.stderr);
    const none = await benchHere(site, ["report", "bad"]);
    assert.equal(none.code, 1, none.stderr);
    const misspelt = await benchHere(site, ["compare", "a,nobody", "b,c"]);
    assert.equal(misspelt.code, 2, misspelt.stderr);
  }));
