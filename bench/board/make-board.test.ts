import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { boardRun, writeBoardRun, writeOddities } from "../../tests/fixtures/board-runs.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { packed, packOf } from "../host/pack-run.ts";
import { makeBoard } from "./make-board.ts";

const silent = () => {};

/** Every text of a board's pages and data. */
function textsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  return Object.fromEntries(
    names.filter((name) => /\.(html|json|ndjson)$/.test(name)).sort()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

test("a board shows what holds, once, and names the first fault of all else; threads change nothing of it", () =>
  inTemporaryFolder(async (folder) => {
    const runs = join(folder, "runs");
    const at = (...names: string[]) => join(runs, ...names);
    writeBoardRun(at("one", "first"), boardRun("first"));
    writeBoardRun(at("one", "deeper", "second"), boardRun("second", { kind: "intel-6-85", later: 1 }));
    writeBoardRun(at("third"), boardRun("third", { kind: "arm-41-d0c", later: 2, turned: true }));
    cpSync(at("third"), at("third-copy"), { recursive: true });
    writeFileSync(at("third.levelfield.gz"), packed(packOf(at("third"))));
    // The raw lines of the first, said to be of another machine.
    writeBoardRun(at("zz-claimed"), boardRun("claimed", { kind: "intel-6-207" }));
    const oddities = writeOddities(runs);

    const out = join(folder, "board");
    const { board, largest } = await makeBoard({ paths: [runs], out, onRead: silent });
    assert.deepEqual([board.runs, board.copies, board.tallied.machines.length], [3, 2, 3]);
    assert.equal(board.refused.length, Object.keys(oddities).length + 1);
    for (const [name, fault] of Object.entries({ ...oddities, "zz-claimed": /its raw lines are those of .*first/ })) {
      const refused = board.refused.find(({ found }) => found === `runs/${name}`);
      assert.match(refused?.fault ?? "not refused", fault, name);
      assert.doesNotMatch(refused!.fault, /\n/);
    }
    const [suite] = board.tallied.suites;
    assert.match(suite!.sentence!, /another value wins/);
    const texts = textsOf(out);
    assert.ok(texts["refused.html"]!.includes("zz-claimed"));
    assert.equal(
      largest.bytes,
      Math.max(
        ...Object.entries(texts).flatMap(([name, text]) => name.endsWith(".html") ? [Buffer.byteLength(text)] : []),
      ),
    );
    // No figure, name or page of what is refused stands anywhere else.
    for (const name of ["changed", "cut", "claimed"]) {
      const files = Object.keys(texts).filter((file) =>
        texts[file]!.includes(`"${name}"`) || texts[file]!.includes(`>${name}<`)
      );
      assert.deepEqual(files, [], name);
    }
    assert.equal(readdirSync(join(out, "run")).length, 3);
    assert.equal(readdirSync(join(out, "packed")).length, 3);
    // Links lead to files that are there.
    for (const [file, text] of Object.entries(texts)) {
      for (const [, link] of text.matchAll(/<a href="([^"#]+)"/g)) {
        assert.ok(existsSync(join(out, file, "..", link!)), `${file}: ${link}`);
      }
    }
    const again = join(folder, "again");
    await makeBoard({ paths: [runs], out: again, onRead: silent });
    assert.deepEqual(textsOf(again), texts);
  }));

test("rates of a machine stand on no page of another, nor on those all machines share", () =>
  inTemporaryFolder(async (folder) => {
    for (const [n, kind] of ["amd-25-1", "intel-6-85"].entries()) {
      writeBoardRun(join(folder, "runs", kind), boardRun(kind, { kind, later: n }));
    }
    const out = join(folder, "board");
    await makeBoard({ paths: [join(folder, "runs")], out, onRead: silent });
    const withRates = Object.entries(textsOf(out)).filter(([, text]) => /requests a second|req\/s/.test(text));
    assert.deepEqual(withRates.map(([file]) => file.replace(/[0-9a-f]{16,}/, "X")), [
      "machine-amd-25-1-X.html",
      "machine-intel-6-85-X.html",
      "run/X.html",
      "run/X.html",
    ]);
  }));

test("a folder that is no board stays as it is; one that is, is made anew", () =>
  inTemporaryFolder(async (folder) => {
    const [runs, out] = [join(folder, "runs"), join(folder, "board")];
    writeBoardRun(join(runs, "first"), boardRun("first"));
    mkdirSync(out);
    writeFileSync(join(out, "mine.txt"), "mine");
    await assert.rejects(makeBoard({ paths: [runs], out, onRead: silent }), /is there and is no board/);
    assert.deepEqual(readdirSync(out), ["mine.txt"]);
    const other = join(folder, "other");
    await makeBoard({ paths: [runs], out: other, onRead: silent });
    writeBoardRun(join(runs, "second"), boardRun("second", { later: 1 }));
    await makeBoard({ paths: [runs, other], out: other, onRead: silent });
    const { runs: shown, refused } = JSON.parse(readFileSync(join(other, "board.json"), "utf8"));
    assert.deepEqual([shown, refused], [2, 1], "a finished board among the folders holds no run");
    assert.deepEqual(readdirSync(folder).sort(), ["board", "other", "runs"]);
  }));
