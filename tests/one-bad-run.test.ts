/** One run that cannot be read costs nobody the others: not in a list, a comparison, a page, a board, nor when unpacked. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packed, packOf } from "../bench/host/pack-run.ts";
import { writeSealedRun } from "../lab/write-run.ts";
import { boardRun } from "./fixtures/board-runs.ts";
import { benchHere } from "./command-line.ts";
import { onSite } from "./run-bench.ts";

test("a run that cannot be read is left out and told, and the others are shown", () =>
  onSite(async (site) => {
    const at = (name: string) => join(site.results, name);
    for (const name of ["a", "b", "c", "bad"]) writeSealedRun(at(name), boardRun(name, { later: name.charCodeAt(0) }));
    for (const name of ["a", "b"]) writeFileSync(join(site.folder, `${name}.levelfield.gz`), packed(packOf(at(name))));
    writeFileSync(join(site.folder, "bad.levelfield.gz"), "no archive");
    writeFileSync(join(at("bad"), "run.json"), "{");
    writeFileSync(join(at("bad"), "summary.json"), "{");
    const packs = ["a", "bad", "b"].map((name) => join(site.folder, `${name}.levelfield.gz`));
    const lines: [args: readonly string[], code: number, told: RegExp, shown: RegExp][] = [
      [["runs"], 0, /^/, /^c .*[^]*\nb .*[^]*\na .*[^]*\nbad .*[^]*damaged/],
      [
        ["report", "a", "bad", "b", "--output", join(site.folder, "page.html")],
        3,
        /left out: bad: .*run\.json/,
        /html/,
      ],
      [["compare", "a,bad", "b,c"], 3, /left out: bad: .*run\.json" is damaged/, /\bb,c\b/],
      [["board", "--out", join(site.folder, "board")], 3, /not shown: .*bad: /, /^3 runs of 1 suite/],
      [["unpack", ...packs, "--results", join(site.folder, "unpacked")], 3, /left out: .*bad.*unpacked/, /✓ a[^]*✓ b/],
    ];
    for (const [args, code, told, shown] of lines) {
      const ended = await benchHere(site, args);
      assert.equal(ended.code, code, `${args.join(" ")}: ${ended.stdout}${ended.stderr}`);
      assert.match(ended.stderr, told, args.join(" "));
      assert.match(ended.stdout, shown, args.join(" "));
    }
    const none = await benchHere(site, ["report", "bad"]);
    assert.equal(none.code, 1, none.stderr);
    const misspelt = await benchHere(site, ["compare", "a,nobody", "b,c"]);
    assert.equal(misspelt.code, 2, misspelt.stderr);
  }));
