import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderTest, inTemporaryFolder, sha256 } from "../../tests/testing.ts";
import { ensureFolder } from "./built-folder.ts";

const IDENTITY = { what: "test-1", format: 1 };
const TEXT = "some bytes that are easily counted\n";
const SOUND = { "a.txt": TEXT, "b.txt": "" };

/** A folder that is built once already; `ensure` says why it was built, or null when it was taken as it is. */
async function withFolder(
  work: (folder: {
    directory: string;
    file: string;
    ensure(verify?: "quick" | "full", identity?: Record<string, string | number>): Promise<string | null>;
  }) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (parent) => {
    const directory = join(parent, "home", "folder");
    const ensure = async (verify: "quick" | "full" = "quick", identity: Record<string, string | number> = IDENTITY) => {
      const { built, manifest } = await ensureFolder(directory, identity, (into) => {
        for (const [name, text] of Object.entries(SOUND)) writeFileSync(join(into, name), text, { flag: "wx" });
      }, verify);
      assert.deepEqual(manifest.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })), [
        { name: "a.txt", bytes: TEXT.length, sha256: sha256(TEXT) },
        { name: "b.txt", bytes: 0, sha256: sha256("") },
      ]);
      assert.deepEqual(readdirSync(join(parent, "home")), ["folder"]);
      for (const [name, text] of Object.entries(SOUND)) assert.equal(readFileSync(join(directory, name), "utf8"), text);
      return built;
    };
    assert.equal(await ensure(), "not built yet");
    await work({ directory, file: join(directory, "a.txt"), ensure });
  });
}

/** Changes one byte and nothing else: not the size and not the time. */
function flipByte(file: string, restoreTime: boolean): void {
  const { atime, mtime } = statSync(file);
  const bytes = readFileSync(file);
  bytes[5]! ^= 1;
  writeFileSync(file, bytes);
  if (restoreTime) utimesSync(file, atime, mtime);
  else utimesSync(file, atime, new Date(mtime.getTime() + 5000));
}

test("a sound folder is taken as it is", async () => {
  await withFolder(async ({ file, ensure }) => {
    const { mtimeNs, ino } = statSync(file, { bigint: true });
    for (const verify of ["quick", "full", "quick"] as const) assert.equal(await ensure(verify), null);
    const after = statSync(file, { bigint: true });
    assert.deepEqual([after.mtimeNs, after.ino], [mtimeNs, ino]);
  });
});

const FAULTS: readonly { fault: string; why: RegExp; damage(directory: string): void }[] = [
  { fault: "is cut short", why: /has 10 bytes/, damage: (folder) => truncateSync(join(folder, "a.txt"), 10) },
  {
    fault: "has a byte flipped",
    why: /"a.txt" is damaged/,
    damage: (folder) => flipByte(join(folder, "a.txt"), false),
  },
  { fault: "lacks a file", why: /"b.txt" is missing/, damage: (folder) => rmSync(join(folder, "b.txt")) },
  {
    fault: "holds a log written after the build",
    why: /"created.jsonl" was written after/,
    damage: (folder) => writeFileSync(join(folder, "created.jsonl"), "{}\n"),
  },
  {
    fault: "has a file in the place of the folder",
    why: /manifest/,
    damage: (folder) => (rmSync(folder, { recursive: true }), writeFileSync(folder, "no folder")),
  },
  {
    fault: "has a folder in the place of a file",
    why: /"a.txt"/,
    damage: (folder) => (rmSync(join(folder, "a.txt")), mkdirSync(join(folder, "a.txt"))),
  },
];
for (const { fault, why, damage } of FAULTS) {
  test(`a folder that ${fault} is built again`, async () => {
    await withFolder(async ({ directory, ensure }) => {
      damage(directory);
      assert.match(await ensure() ?? "not built", why);
      assert.equal(await ensure(), null);
    });
  });
}

test("a byte flipped with the time put back is found by a full look", async () => {
  await withFolder(async ({ file, ensure }) => {
    utimesSync(file, new Date(1_700_000_000_000), new Date(1_700_000_000_000));
    assert.equal(await ensure(), null);
    flipByte(file, true);
    assert.match(await ensure("full") ?? "not built", /"a.txt" is damaged/);
  });
});

test("a folder built from something else is built again", async () => {
  await withFolder(async ({ ensure }) => {
    assert.match(await ensure("quick", { ...IDENTITY, format: 2 }) ?? "not built", /its format is 1, wanted 2/);
    assert.match(await ensure("quick", { ...IDENTITY, format: 2, more: 1 }) ?? "not built", /its more is undefined/);
    assert.match(await ensure() ?? "not built", /its (format|more)/);
  });
});

test("a manifest that is damaged in any way leads to a new build", async () => {
  const damages: readonly ((text: string) => string)[] = [
    () => "",
    (text) => text.slice(0, 40),
    () => "null",
    () => "[]",
    () => JSON.stringify({ schema: "levelfield.folder/1", files: [] }),
    (text) => JSON.stringify({ ...JSON.parse(text), identity: null }),
    (text) => JSON.stringify({ ...JSON.parse(text), files: [{}] }),
    (text) => JSON.stringify({ ...JSON.parse(text), files: [] }),
    (text) => text.replace(/"sha256": "./, (start) => start.slice(0, -1) + (start.endsWith("0") ? "1" : "0")),
    (text) => text.replace(/"buildMs": \d+/, `"buildMs": "long"`),
  ];
  await withFolder(async ({ directory, ensure }) => {
    const manifest = join(directory, "manifest.json");
    for (const damage of damages) {
      writeFileSync(manifest, damage(readFileSync(manifest, "utf8")));
      assert.notEqual(await ensure(), null, String(damage));
      assert.equal(await ensure(), null);
    }
  });
});

test("a change within the clock's grain of the stamp is found", async () => {
  await withFolder(async ({ file, directory, ensure }) => {
    for (let times = 0; times < 5; times++) {
      flipByte(file, true);
      const { atime, mtime } = statSync(file);
      utimesSync(join(directory, ".stamp.json"), atime, mtime);
      assert.match(await ensure() ?? "not built", /"a.txt" is damaged/);
    }
  });
});

test("a stamp that is missing or damaged costs a look at the bytes and no build", async () => {
  await withFolder(async ({ directory, ensure }) => {
    for (const stamp of ["", "null", "{}", `{"a.txt":1}`, "[]"]) {
      writeFileSync(join(directory, ".stamp.json"), stamp);
      assert.equal(await ensure(), null, stamp);
    }
    rmSync(join(directory, ".stamp.json"));
    assert.equal(await ensure(), null);
  });
});

test("a moved folder is still sound", async () => {
  await withFolder(async ({ directory, ensure }) => {
    renameSync(directory, `${directory}-elsewhere`);
    renameSync(`${directory}-elsewhere`, directory);
    assert.equal(await ensure(), null);
  });
});

test("a build that fails leaves nothing behind, and a folder that was there as it was", async () => {
  await withFolder(async ({ directory, file }) => {
    const failing = (identity: Record<string, string>, where: string) =>
      ensureFolder(where, identity, (into) => {
        writeFileSync(join(into, "half"), "half");
        throw new Error("no space");
      });
    await assert.rejects(failing({ what: "other" }, directory), /no space/);
    assert.equal(readFileSync(file, "utf8"), TEXT);
    await assert.rejects(failing({ what: "other" }, `${directory}-new`), /no space/);
    assert.deepEqual(readdirSync(join(directory, "..")), ["folder"]);
  });
});

folderTest("workshops and copies of processes that are gone are removed, those of living ones not", async (home) => {
  const gone = [`.building-${2 ** 22 + 1}-folder`, `.scratch-${2 ** 22 + 1}-folder`];
  const living = `.scratch-${process.ppid}-folder`;
  mkdirSync(join(home, living));
  for (const isBuilt of [true, false]) {
    for (const name of gone) mkdirSync(join(home, name));
    const { built } = await ensureFolder(join(home, "folder"), IDENTITY, () => {});
    assert.equal(built !== null, isBuilt);
    assert.deepEqual(readdirSync(home).sort(), [living, "folder"]);
  }
});

folderTest("a folder that somebody else built meanwhile stays, with what they put in it", async (home) => {
  const folder = join(home, "folder");
  const { built } = await ensureFolder(folder, IDENTITY, async (into) => {
    writeFileSync(join(into, "a.txt"), "mine");
    mkdirSync(folder);
    const theirs = join(home, "theirs");
    await ensureFolder(theirs, IDENTITY, (into) => writeFileSync(join(into, "a.txt"), "theirs"));
    rmSync(folder, { recursive: true });
    renameSync(theirs, folder);
  });
  assert.equal(built, null);
  assert.equal(readFileSync(join(folder, "a.txt"), "utf8"), "theirs");
  assert.deepEqual(readdirSync(home), ["folder"]);
});
