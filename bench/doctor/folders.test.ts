import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileTree } from "../machine/readings.ts";
import { folderFacts, linuxDisk } from "./folders.ts";
import { withTree } from "../../tests/fixtures/made-up-tree.ts";

const MOUNTS = [
  "27 1 254:1 / / rw - ext4 /dev/vda1 rw",
  "28 27 8:16 / /data rw shared:1 - xfs /dev/sdb rw",
  "29 27 0:25 / /data/tmp rw - tmpfs tmpfs rw",
  "30 27 0:26 / /share rw - nfs4 host:/x rw",
  "31 27 0:27 / /over rw - overlay overlay rw",
].join("\n");
const disk = (folder: string) =>
  withTree({
    "proc/self/mountinfo": MOUNTS,
    "sys/devices/vda/vda1/partition": "1\n",
    "sys/devices/vda/queue/rotational": "0\n",
    "sys/dev/block/8:16/queue/rotational": "1\n",
  }, (root) => {
    symlinkSync("../../devices/vda/vda1", join(root, "sys/dev/block/254:1"));
    return linuxDisk(fileTree(root), folder);
  });

test("the longest mount holds a folder; a partition's kind is that of its disk", () => {
  assert.equal(disk("/home/x"), "ssd");
  assert.equal(disk("/data"), "spinning");
  assert.equal(disk("/data/x"), "spinning");
  assert.equal(disk("/database"), "ssd");
  assert.equal(disk("/data/tmp/y"), "memory");
  assert.equal(disk("/share/y"), "network");
  assert.throws(() => disk("/over/y"), /overlay does not tell its disk/);
});

test("a folder that is not there yet is judged by the one above, and is not made", () => {
  const path = join(tmpdir(), `levelfield-${randomUUID()}`, "below");
  const facts = folderFacts("data", path);
  assert.ok(facts.writable);
  assert.ok("value" in facts.freeBytes && facts.freeBytes.value > 0);
  assert.equal(existsSync(path), false);
});

test("a file in place of a folder cannot be written to", () => {
  withTree({ "taken": "" }, (root) => assert.equal(folderFacts("results", join(root, "taken")).writable, false));
});
