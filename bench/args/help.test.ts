import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { commandHelp, generalHelp } from "./help.ts";
import { COMMANDS, COMMON_OPTIONS, type Option, OPTIONS } from "./options.ts";

const GOLDEN = fileURLToPath(new URL("./help.golden.txt", import.meta.url));

test("the help reads as in help.golden.txt (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)", () => {
  const all = [generalHelp(), ...COMMANDS.map(({ name }) => commandHelp(name))].join(`${"─".repeat(80)}\n`);
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(GOLDEN, all);
  assert.equal(all, readFileSync(GOLDEN, "utf8"));
});

test("the help of a command shows each of its options with its text, and no other", () => {
  for (const command of COMMANDS) {
    const text = commandHelp(command.name);
    const names: readonly string[] = [...command.options, ...COMMON_OPTIONS];
    for (const option of OPTIONS as readonly Option[]) {
      const shown = new RegExp(`^ +(-\\w, )?--${option.name}( |$)`, "m").test(text);
      assert.equal(shown, names.includes(option.name), `bench ${command.name} --${option.name}`);
      if (shown) assert.ok(text.includes(option.help));
    }
  }
});

test("every command is in the general help, and no line of any help is longer than 120 characters", () => {
  for (const { name, help } of COMMANDS) assert.ok(generalHelp().includes(`  ${name}`) && generalHelp().includes(help));
  for (const text of [generalHelp(), ...COMMANDS.map(({ name }) => commandHelp(name))]) {
    assert.ok(text.endsWith("\n"));
    for (const line of text.split("\n")) assert.ok(line.length <= 120, line);
  }
});
