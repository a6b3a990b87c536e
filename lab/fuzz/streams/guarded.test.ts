import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findProgram } from "../../../bench/machine/programs.ts";

const WRK = findProgram("wrk");
const luaTest = WRK === undefined ? test.skip : test;
const GUARDED = fileURLToPath(new URL("./guarded.lua", import.meta.url));

/** What a script does with an array of ten bytes, and how its process ends: with a code, or by a fault of memory. */
const ENDS: Readonly<Record<string, readonly [lua: string, end: number | string]>> = {
  "writes what is its own": ["array[0], array[9] = 1, 2 assert(array[9] == 2)", 0],
  "keeps the beginning of an array": ["local two = ffi.new('int[2]', { 3, 4 }) assert(two[0] + two[1] == 7)", 0],
  "writes past its end": ["array[10] = 1", "killed"],
  "reads past its end": ["io.write(array[10])", "killed"],
  "receives past its end": ["C.recv(0, array + 1, 10, 0)", "killed"],
  "writes before its beginning": ["array[-2] = 1", 99],
  "writes what it no longer holds": [
    "local at = array + 1 array = nil collectgarbage() ffi.new('char[?]', 1) at[0] = 1",
    "killed",
  ],
  "makes many arrays": ["for _ = 1, 20000 do ffi.new('char[16385]')[16384] = 1 end", 0],
};

luaTest("a guarded script ends where it goes beyond an array, and nowhere else", () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-guarded-")), script = join(folder, "script.lua");
  try {
    for (const [name, [lua, end]] of Object.entries(ENDS)) {
      const head = "local ffi = require('ffi') ffi.cdef('long recv(int, void *, unsigned long, int);')";
      writeFileSync(script, `${head} local C, array = ffi.C, ffi.new("unsigned char[?]", 10) ${lua} os.exit(0)`);
      const args = ["-t1", "-c1", "-d1", "-s", GUARDED, "-H", `script: ${script}`, "http://127.0.0.1:9"];
      const { status, signal, stderr } = spawnSync(WRK!, args, { encoding: "utf8" });
      assert.equal(signal === "SIGSEGV" || signal === "SIGBUS" ? "killed" : status, end, `${name}: ${stderr}`);
      if (end === 99) assert.match(stderr, /^guarded: bytes before an array unsigned char\[\?\] of 10 bytes/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
