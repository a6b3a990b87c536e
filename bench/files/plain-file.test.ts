import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { MOST_BYTES, readPlainFile, writePlainFile } from "./plain-file.ts";
import { scratchFolder } from "../process/scratch-folder.ts";

test("only plain files within the bound are read; anything else is refused in a line and never waited for", async () => {
  const scratch = scratchFolder("plain");
  const at = (name: string) => join(scratch.path, name);
  try {
    writeFileSync(at("plain"), "text");
    assert.equal(readPlainFile(at("plain")).toString(), "text");
    writeFileSync(at("empty"), "");
    assert.equal(readPlainFile(at("empty")).length, 0);
    symlinkSync(at("plain"), at("link"));
    symlinkSync(at("nothing"), at("dangling"));
    symlinkSync("/dev/zero", at("device"));
    mkdirSync(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    writeFileSync(at("large"), "");
    truncateSync(at("large"), MOST_BYTES + 1);
    const server = createServer();
    await new Promise<void>((done) => server.listen(at("socket"), done));
    const refused = {
      link: /it is a link/,
      dangling: /it is a link/,
      device: /it is a link/,
      folder: /it is a folder/,
      pipe: /it is a pipe/,
      socket: /it is a socket/,
      large: /is larger than 64\.0 MiB, which no run is/,
      nothing: /ENOENT/,
    };
    for (const [name, why] of Object.entries(refused)) assert.throws(() => readPlainFile(at(name)), why, name);
    assert.throws(() => readPlainFile("/dev/zero"), /it is a device/);
    await new Promise((done) => server.close(done));
  } finally {
    scratch.remove();
  }
});

test("a link that stands where a file is written is replaced, and what it leads to stays as it was", () => {
  const scratch = scratchFolder("plain");
  const at = (name: string) => join(scratch.path, name);
  try {
    writeFileSync(at("others"), "theirs");
    for (const name of ["file", "file.part"]) symlinkSync(at("others"), at(name));
    writePlainFile(at("file"), "ours");
    assert.equal(readFileSync(at("others"), "utf8"), "theirs");
    assert.equal(readPlainFile(at("file")).toString(), "ours");
  } finally {
    scratch.remove();
  }
});
