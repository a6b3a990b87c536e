import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { boardRun, writeOddities } from "../../tests/fixtures/board-runs.ts";
import { writeSealedRun } from "../../lab/write-run.ts";
import { acrossHosts } from "../../tests/fixtures/two-hosts.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { z } from "zod";
import { boardIndex } from "../record/board-index.ts";
import { packed, packOf, readPack } from "../host/pack-run.ts";
import { PROJECT_ROOT } from "../host/runtimes.ts";
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
    writeSealedRun(at("one", "first"), boardRun("first"));
    writeSealedRun(at("one", "deeper", "second"), boardRun("second", { kind: "intel-6-85", later: 1 }));
    writeSealedRun(at("third"), boardRun("third", { kind: "arm-41-d0c", later: 2, turned: true }));
    cpSync(at("third"), at("third-copy"), { recursive: true });
    writeFileSync(at("third.levelfield.gz"), packed(packOf(at("third"))));
    // The raw lines of the first, said to be of another machine.
    writeSealedRun(at("zz-claimed"), boardRun("claimed", { kind: "intel-6-207" }));
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

test("what a board publishes of a run is made anew: no byte of who sent it is left, and the run is the same", () =>
  inTemporaryFolder(async (folder) => {
    const run = writeSealedRun(join(folder, "plain", "run"), boardRun("mine"));
    const { files, ...pack } = packOf(run);
    const odd = Object.fromEntries(
      Object.entries(files).filter(([name]) => name !== "SHA256SUMS").map(([name, text]) => [
        name,
        name.endsWith(".ndjson")
          ? text.replaceAll('{"', '{ \t"').replace('"levelfield.observation', '"\\u006cevelfield.observation')
          : `${text.replace('{\n  "', `{${" ".repeat(99)}"schema":"smuggled",\n  "`)}\n\n`,
      ]),
    );
    const sums = Object.entries(odd).map(([name, text]) => `${hashOf(text)}  ${name}\n`).join("");
    const sent = { ...pack, files: { ...odd, SHA256SUMS: sums } };
    mkdirSync(join(folder, "sent"));
    // A gzip file may name the file it was made from.
    const bytes = Buffer.from(packed(sent));
    bytes[3]! |= 8;
    const named = Buffer.concat([bytes.subarray(0, 10), Buffer.from("smuggled-name\0"), bytes.subarray(10)]);
    writeFileSync(join(folder, "sent", "run.levelfield.gz"), named);

    const publishedOf = async (name: string) => {
      const out = join(folder, `board-${name}`);
      const { board } = await makeBoard({ paths: [join(folder, name)], out, onRead: silent });
      assert.deepEqual(board.refused, [], name);
      const [file, ...others] = readdirSync(join(out, "packed"));
      assert.deepEqual(others, []);
      return { file, bytes: readFileSync(join(out, "packed", file!)) };
    };
    const published = await publishedOf("sent");
    assert.deepEqual(published, await publishedOf("plain"));
    assert.deepEqual(readPack(join(folder, "board-sent", "packed", published.file!)).files, files);
  }));

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("rates of a machine stand on no page of another, nor on those all machines share", () =>
  inTemporaryFolder(async (folder) => {
    for (const [n, kind] of ["amd-25-1", "intel-6-85"].entries()) {
      writeSealedRun(join(folder, "runs", kind), boardRun(kind, { kind, later: n }));
    }
    const out = join(folder, "board");
    await makeBoard({ paths: [join(folder, "runs")], out, onRead: silent });
    assert.match(
      textsOf(out)["index.html"]!.replace(/<[^>]+>/g, " "),
      /Who wins where.*bun over node \(Runtime\) +1\.\d+(?: to 1\.\d+)? × +\d+ +2 of 2 .*Verdicts, by suite/s,
    );
    const withRates = Object.entries(textsOf(out)).filter(([, text]) => /requests a second|req\/s/.test(text));
    assert.deepEqual(withRates.map(([file]) => file.replace(/[0-9a-f]{16,}/, "X")), [
      "machine-amd-25-1-X.html",
      "machine-intel-6-85-X.html",
      "run/X.html",
      "run/X.html",
    ]);
  }));

test("a run across two hosts is of both machines: told in index, pages and lines, and its rates stand by themselves", () =>
  inTemporaryFolder(async (folder) => {
    writeSealedRun(join(folder, "runs", "here"), boardRun("here"));
    writeSealedRun(join(folder, "runs", "apart"), acrossHosts(boardRun("apart", { later: 1 })));
    const out = join(folder, "board");
    const { board } = await makeBoard({ paths: [join(folder, "runs")], out, onRead: silent });
    assert.deepEqual([board.runs, board.refused], [2, []]);
    const texts = textsOf(out);
    const { machines } = boardIndex.parse(JSON.parse(texts["board.json"]!));
    assert.deepEqual(Object.fromEntries(machines.map(({ name, load }) => [name, load?.cpu_kind])), {
      "amd-25-1": undefined,
      "amd-25-1 loaded from intel-6-207": "intel-6-207",
    });
    const page = texts[machines.find(({ load }) => load !== undefined)!.page]!;
    assert.match(page, /Load from<\/th><td>Intel\(R\) Xeon\(R\) Processor \(intel-6-207\)/);
    assert.match(page, />apart</);
    assert.doesNotMatch(page, />here</);
    const runs = texts["runs.ndjson"]!.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(Object.fromEntries(runs.map(({ run, machine }) => [run, machine.load?.cpus])), {
      apart: 2,
      here: undefined,
    });
    const own = texts[`run/${runs.find(({ run }) => run === "apart").id}.html`]!;
    const at = own.indexOf("Between them</th>");
    assert.match(
      own.slice(at - 400, at + 200),
      /ssh box1.*Between them<\/th><td>10\.77\.9\.2 on lf-there at 10 Gbit\/s, round trip/s,
    );
  }));

test("board.json is what its published JSON Schema says, and no other file is", () =>
  inTemporaryFolder(async (folder) => {
    writeSealedRun(join(folder, "runs", "first"), boardRun("first"));
    writeSealedRun(join(folder, "runs", "second"), acrossHosts(boardRun("second", { kind: "arm-41-d0c", later: 1 })));
    writeOddities(join(folder, "runs"));
    const out = join(folder, "board");
    await makeBoard({ paths: [join(folder, "runs")], out, onRead: silent });
    const schema = z.fromJSONSchema(
      JSON.parse(readFileSync(join(PROJECT_ROOT, "results/schema/board.schema.json"), "utf8")),
    );
    const index = JSON.parse(readFileSync(join(out, "board.json"), "utf8"));
    assert.deepEqual(schema.parse(index), index);
    for (
      const wrong of [
        { ...index, more: 1 },
        { ...index, schema: "levelfield.board/0" },
        { ...index, runs: -1 },
        { ...index, machines: index.machines.map(({ page: _, ...rest }: { page: string }) => rest) },
        { ...index, suites: index.suites.map((suite: object) => ({ ...suite, sentence: 7 })) },
      ]
    ) {
      assert.equal(schema.safeParse(wrong).success, false, JSON.stringify(wrong).slice(0, 100));
    }
  }));

test("a folder that is no board stays as it is; one that is, is made anew", () =>
  inTemporaryFolder(async (folder) => {
    const [runs, out] = [join(folder, "runs"), join(folder, "board")];
    writeSealedRun(join(runs, "first"), boardRun("first"));
    mkdirSync(out);
    writeFileSync(join(out, "mine.txt"), "mine");
    await assert.rejects(makeBoard({ paths: [runs], out, onRead: silent }), /is there and is no board/);
    assert.deepEqual(readdirSync(out), ["mine.txt"]);
    const other = join(folder, "other");
    await makeBoard({ paths: [runs], out: other, onRead: silent });
    writeSealedRun(join(runs, "second"), boardRun("second", { later: 1 }));
    await makeBoard({ paths: [runs, other], out: other, onRead: silent });
    const { runs: shown, refused } = JSON.parse(readFileSync(join(other, "board.json"), "utf8"));
    assert.deepEqual([shown, refused], [2, 1], "a finished board among the folders holds no run");
    assert.deepEqual(readdirSync(folder).sort(), ["board", "other", "runs"]);
  }));
