import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { boardRun } from "../../tests/fixtures/board-runs.ts";
import { writeSealedRun } from "../../lab/write-run.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { findRuns } from "./find-runs.ts";
import { packed, packOf, readPack, unpackTo } from "./pack-run.ts";
import { MOST_BYTES } from "./plain-file.ts";
import { privateTexts } from "./private-texts.ts";
import { verify } from "./verify-run.ts";

test("a run is the same run after it was packed and unpacked, byte by byte", () =>
  inTemporaryFolder((folder) => {
    const path = writeSealedRun(join(folder, "a run"), boardRun("first"));
    writeFileSync(join(path, "report.html"), "not of the run");
    const file = join(folder, "x.levelfield.gz");
    writeFileSync(file, packed(packOf(path)));
    const pack = readPack(file);
    assert.equal(pack.name, "a-run");
    const again = join(folder, "again");
    unpackTo(again, pack);
    assert.deepEqual(verify(again).faults, []);
    for (const name of Object.keys(pack.files)) {
      assert.deepEqual(readFileSync(join(again, name)), readFileSync(join(path, name)), name);
    }
    assert.ok(!existsSync(join(again, "report.html")));
    assert.throws(() => unpackTo(again, pack), /is there already/);
  }));

test("what is no packed run is refused in one line: names that lead elsewhere, bombs, other versions, damage", () =>
  inTemporaryFolder((folder) => {
    const file = join(folder, "x.levelfield.gz");
    const told = (bytes: string | Uint8Array) => {
      writeFileSync(file, bytes);
      try {
        readPack(file);
      } catch (error) {
        return (error as Error).message.replace(folder, "");
      }
      return "read";
    };
    const of = (change: object) =>
      gzipSync(JSON.stringify({ schema: "levelfield.pack/1", name: "x", files: {}, ...change }));
    assert.equal(told(of({})), "read");
    for (
      const name of [
        "../run.json",
        "/etc/passwd",
        "cells/../../x.json",
        "cells/a/../x.json",
        "x",
        "cells/.a/b.json",
        "run.json\0",
      ]
    ) {
      assert.match(told(of({ files: { [name]: "" } })), /is no packed run: files/, name);
    }
    for (const name of ["..", "", "a/b", ".x", "a b"]) assert.match(told(of({ name })), /is no packed run: name/, name);
    assert.match(told(of({ more: 1 })), /is no packed run/);
    assert.match(told(of({ schema: "levelfield.pack/0" })), /is of version "levelfield\.pack\/0", this Levelfield/);
    assert.match(told(of({ schema: "levelfield.pack/9" })), /is of version "levelfield\.pack\/9", made by a newer /);
    assert.match(told(gzipSync("{")), /is no JSON/);
    assert.match(told("plain"), /cannot be unpacked/);
    assert.match(told(of({}).subarray(0, 20)), /cannot be unpacked/);
    assert.match(told(gzipSync(Buffer.alloc(MOST_BYTES + 1, 32))), /is larger than 64\.0 MiB, which no run is/);
    assert.throws(() => readPack(join(folder, "none.levelfield.gz")), /cannot read .*ENOENT/);
  }));

test("runs are found at any depth, one after the other; hidden folders, links and boards are passed by", () =>
  inTemporaryFolder((folder) => {
    const put = (...names: string[]) => {
      mkdirSync(join(folder, ...names.slice(0, -1)), { recursive: true });
      writeFileSync(join(folder, ...names), "{}");
    };
    put("b", "2026", "may", "run-1", "run.json");
    put("b", "2026", "may", "run-1", "cells", "x", "run.json");
    put("a", "left", "journal.ndjson");
    put("a", "one.levelfield.gz");
    put("a", "latency-1.json");
    put(".hidden", "run", "run.json");
    put("node_modules", "run", "run.json");
    put("board", "board.json");
    put("board", "packed", "x.levelfield.gz");
    symlinkSync(join(folder, "b"), join(folder, "link"));
    const found = [...findRuns([folder])].map(({ name }) => name.replace(/^levelfield-test-\w+\//, ""));
    assert.deepEqual(found, ["a/left", "a/one.levelfield.gz", "b/2026/may/run-1"]);
    assert.deepEqual([...findRuns([join(folder, "link")])].length, 1, "what is named may be a link");
    mkdirSync(join(folder, "nothing"));
    const told = [...findRuns([join(folder, "nothing"), join(folder, "absent"), join(folder, "a", "latency-1.json")])];
    assert.deepEqual(told.map((one) => "fault" in one && one.fault.replace(/:? .*/, "")), ["there", "cannot", "it"]);
  }));

test("what says who made a run is found, and names that all machines have are none", () => {
  const whose = { home: "/home/ada", user: "ada", host: "enchantress" };
  const found = (text: string, own = whose) => privateTexts({ "run.json": text }, own).map(({ what }) => what);
  assert.deepEqual(found('"module": "/home/ada/mine.ts"').length, 3);
  assert.deepEqual(found('"why": "cannot open /Users/bob/x"'), ["a path of somebody's home folder"]);
  assert.deepEqual(found('"note": "on enchantress, 2 CPUs"'), ["this machine's name"]);
  assert.deepEqual(found('"note": "ada@other"'), ["your user name"]);
  assert.deepEqual(found('"note": "disenchantress and adaptive /homework"'), []);
  assert.deepEqual(found('"name": "node", "x": "root@"', { home: "/root", user: "root", host: "node" }), []);
  assert.deepEqual(found('"wanted": "node=/root/node"', { home: "/root", user: "root", host: "a" }), [
    "the path of your home folder",
  ]);
});
