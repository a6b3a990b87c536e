/** Exports as the tools read them that they are for, where those are installed. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { EXPORTS } from "../bench/exports/registry.ts";
import { forExports } from "./fixtures/made-up-run.ts";
import { filesOf } from "./fixtures/run-files.ts";

const files = filesOf(forExports());
const render = (name: string) => EXPORTS[name]!.render(files);

/** A tool on the path or where Go puts what it builds; undefined when it is not installed. */
function toolOf(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), join(homedir(), "go", "bin")];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const benchstat = toolOf("benchstat");
(benchstat === undefined ? test.skip : test)("benchstat reads its export and tells runtimes apart", () => {
  const table = execFileSync(benchstat!, ["-col", "/runtime", "-filter", ".unit:req/s", "-"], {
    input: render("benchstat"),
    encoding: "utf8",
  });
  assert.match(table, /node.*bun/s);
  assert.match(table, /\+\d+\.\d+%/);
});
