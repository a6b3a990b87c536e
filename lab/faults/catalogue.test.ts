import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BEHAVIOURS } from "./behaviours.ts";
import { CATALOGUE, linesOf } from "./catalogue.ts";
import { GROUPS } from "./fault.ts";
import { chosenFaults } from "./measure-faults.ts";

const PAGE = fileURLToPath(new URL("../../docs/faults.md", import.meta.url));
/** The heading above the part that is made from the catalogue. */
const MARKER = "## The faults\n";

test("each fault has a name of its own, and each group has some", () => {
  const names = CATALOGUE.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z0-9-]+$/);
  assert.deepEqual([...new Set(CATALOGUE.map(({ group }) => group))], [...GROUPS]);
});

test("a server with a fault has a behaviour, and a behaviour a fault", () => {
  const servers = CATALOGUE.filter(({ group }) => group === "servers").map(({ name }) => name);
  assert.deepEqual(servers.toSorted(), Object.keys(BEHAVIOURS).filter((name) => !name.startsWith("sound")).toSorted());
});

test("faults are chosen by name, by group and for the gate", () => {
  const chosen = (names: readonly string[], quick = false) => chosenFaults({ names, quick }).map(({ name }) => name);
  assert.deepEqual(chosen(["lock-dead", "wrk-dies"]), ["wrk-dies", "lock-dead"]);
  assert.deepEqual(chosen([]).length, CATALOGUE.length);
  assert.ok(chosenFaults({ names: ["locks"], quick: false }).every(({ group }) => group === "locks"));
  const quick = chosenFaults({ names: [], quick: true });
  assert.ok(quick.length < 20 && new Set(quick.map(({ group }) => group)).size >= 8, chosen([], true).join(" "));
});

test("docs/faults.md shows the list (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)", () => {
  const groups = GROUPS.map((group) => {
    const members = CATALOGUE.filter((fault) => fault.group === group);
    return `### ${group} (${members.length})\n\n\`\`\`\n${linesOf(members).join("\n")}\n\`\`\`\n`;
  });
  const page = readFileSync(PAGE, "utf8");
  const wanted = `${page.slice(0, page.indexOf(MARKER))}${MARKER}\n${groups.join("\n")}`;
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(PAGE, wanted);
  assert.equal(readFileSync(PAGE, "utf8"), wanted);
});
