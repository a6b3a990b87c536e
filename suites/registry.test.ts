import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pointsOf } from "../tests/suite-testing.ts";
import { onceTest } from "../tests/testing.ts";
import { FRAMEWORKS } from "./frameworks/frameworks.ts";
import { SUITES } from "./registry.ts";
import { LIBRARIES } from "./render/libraries.ts";
import type { At, Suite } from "./suite.ts";
import { ENGINES, NONE } from "./templates/engines.ts";

const FOLDER = fileURLToPath(new URL("./", import.meta.url));

onceTest("the registry has each folder that holds a suite, and each has its page and tests", () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(FOLDER, entry.name, "suite.ts")))
    .map(({ name }) => name);
  assert.deepEqual(SUITES.map(({ name }) => name).sort(), folders.sort());
  for (const name of folders) {
    assert.ok(existsSync(join(FOLDER, name, "README.md")), name);
    assert.ok(existsSync(join(FOLDER, name, `${name}.test.ts`)), name);
  }
});

onceTest("each suite has a subject, and each word of a condition a phrase for sentences", async () => {
  for (const { name, subject, axes } of SUITES) {
    assert.match(subject ?? "", /^[A-Z0-9][^:.]+$/, name);
    for (const axis of axes.filter(({ role }) => role === "condition")) {
      for (const value of [...axis.values, ...axis.others ?? []].filter((value) => typeof value === "string")) {
        const facts = await axis.describe?.(value);
        assert.match(facts?.phrase ?? "", /^[^,:.]+[^,]*$/, `${name}, ${axis.name} ${value} has no phrase`);
      }
    }
  }
});

/** Suites that compare packages: their axis, the folder with a file for each value, and the package of each value. */
const PACKAGED: readonly (readonly [suite: string, axis: string, folder: string, Readonly<Record<string, unknown>>])[] =
  [
    ["frameworks", "framework", "apps", mapped(FRAMEWORKS, ({ package: of }) => of)],
    ["templates", "engine", "engines", mapped(ENGINES, ({ package: of }) => of)],
    ["render", "library", "libraries", mapped(LIBRARIES, ({ packages }) => packages[0])],
  ];

function mapped<T>(all: Readonly<Record<string, T>>, packageOf: (facts: T) => string | null | undefined) {
  return Object.fromEntries(Object.entries(all).map(([name, facts]) => [name, packageOf(facts)]));
}

onceTest(
  "each framework, engine and library has its file, a title, and the version that package.json pins",
  async () => {
    const { dependencies } = JSON.parse(readFileSync(join(FOLDER, "..", "package.json"), "utf8"));
    for (const [suite, axisName, folder, packages] of PACKAGED) {
      const files = readdirSync(join(FOLDER, suite, folder)).map((file) => file.replace(/\.ts$/, ""));
      assert.deepEqual(
        files.filter((name) => name !== "library").sort(),
        Object.keys(packages).filter((name) => name !== NONE).sort(),
      );
      const axis = SUITES.find(({ name }) => name === suite)!.axes.find(({ name }) => name === axisName)!;
      for (const [name, of] of Object.entries(packages)) {
        const facts = await axis.describe!(name);
        assert.equal(facts["version"], dependencies[String(of)]?.replace(/^npm:.*@/, ""), name);
        assert.ok(facts.title);
      }
    }
  },
);

/** Modules a file loads at run time, and theirs; packages by name. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  for (const [, clause, name] of text.matchAll(/^(?:import|export)\s+([^;"']*?)\s*from\s*["']([^"']+)["']/gm)) {
    const names = /^\{([\s\S]*)\}$/.exec(clause!.trim())?.[1]?.split(",").map((one) => one.trim()).filter(Boolean);
    if (/^type\b/.test(clause!) || names?.every((one) => one.startsWith("type "))) continue;
    if (name!.startsWith(".")) loadedBy(join(dirname(file), name!), seen);
    else seen.add(name!);
  }
  return seen;
}

onceTest("loading the registry loads no package and no engine: the driver does it for every command", () => {
  const heavy = [...loadedBy(join(FOLDER, "registry.ts"))].filter((name) =>
    !name.startsWith("/") && (!name.startsWith("node:") || name === "node:sqlite" || name === "node:http")
  );
  assert.deepEqual(heavy, []);
});

/** Whether each value is one of its axis, as the command line would read it. */
function assertValues({ name, axes }: Suite, ats: readonly At[]): void {
  for (const [axisName, value] of ats.flatMap(Object.entries)) {
    const axis = axes.find((each) => each.name === axisName);
    assert.ok(axis, `${name} has no axis "${axisName}"`);
    assert.equal(axis.parse(axis.format(value)), value, `${name}, ${axisName}: "${value}"`);
  }
}

for (const suite of SUITES) {
  onceTest(`${suite.name}: values, presets, probe and expectations speak of axes and values there are`, () => {
    assert.match(suite.name, /^[a-z][a-z0-9-]*$/);
    assert.equal(new Set(suite.axes.map(({ name }) => name)).size, suite.axes.length);
    for (const { name, values, others = [], format } of suite.axes) {
      const all = [...values, ...others];
      assertValues(suite, all.map((value) => ({ [name]: value })));
      assert.equal(new Set(all.map(format)).size, all.length, `texts of ${name}`);
    }
    assertValues(suite, [suite.probe ?? {}]);
    for (const preset of [...Object.values(suite.presets ?? {}), ...suite.quick === undefined ? [] : [suite.quick]]) {
      for (const [name, values] of Object.entries(preset.at ?? {})) {
        assertValues(suite, values.map((value) => ({ [name]: value })));
      }
    }
    for (const expectation of suite.expectations ?? []) {
      assertValues(
        suite,
        expectation.kind === "ratio" ? [expectation.over, expectation.under] : [expectation.at ?? {}],
      );
      if (expectation.kind === "scaling" || expectation.kind === "steps") {
        assert.ok(suite.axes.some(({ name }) => name === expectation.axis), expectation.axis);
      }
    }
  });

  onceTest(`${suite.name}: each default point can be asked for, or says why not`, () => {
    let supported = 0;
    for (const point of pointsOf(suite)) {
      const answer = suite.supports?.(point) ?? true;
      if (answer !== true) {
        assert.match(answer, /^\S.{5,}$/);
        continue;
      }
      supported += 1;
      const { mix, draws = {} } = suite.requests(point);
      assert.ok(mix.length > 0);
      for (const { path, body = "", headers = {}, expect } of mix) {
        assert.ok(path.startsWith("/") && expect.length > 0);
        for (const text of [path, body, ...Object.values(headers)]) {
          if (typeof text !== "string") continue;
          const rest = Object.keys(draws).reduce((left, name) => left.replaceAll(`{${name}}`, ""), text);
          assert.doesNotMatch(rest, /\{\w+\}/, `a placeholder nothing is drawn for: ${text}`);
        }
      }
      for (const draw of Object.values(draws)) if (draw.kind === "same") assert.ok(draw.of in draws, draw.of);
      const files = suite.files?.(point) ?? null;
      assert.ok(files === null || existsSync(files.builder));
      const server = suite.server(point, null);
      assert.ok(server.kind !== "app" || existsSync(server.module));
    }
    assert.ok(supported > 0);
  });
}
