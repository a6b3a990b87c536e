/** The program that is started: so many modules that import each other, and a server that answers with what they come to. */
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RuntimeName } from "../../servers/runtime.ts";
import { userMaker } from "../../stores/dataset/user-at.ts";
import type { StoreChoice } from "./suite.ts";

/** The users a store has: everybody measures the same. */
export const USERS = { seed: 42, size: 1_000 };

/** The one the program looks for when it has opened its store, and adds the age of. */
const found = () => userMaker(USERS.seed)(USERS.size / 2);

/** Modules that a module imports. */
const CHILDREN = 10;

const valueAt = (n: number) => n * 7919 % 1000;

/** Returns the program's reply. */
export const replyOf = (modules: number, store: StoreChoice = "none"): string =>
  String(
    Array.from({ length: modules }, (_, n) => valueAt(n)).reduce(
      (sum, one) => sum + one,
      store === "none" ? 0 : found().age,
    ),
  );

const childrenOf = (n: number, modules: number) =>
  Array.from({ length: CHILDREN }, (_, k) => CHILDREN * n + k + 1).filter((child) => child < modules);

/** Code as modules have it, about 1.5 kB of it: a class, some functions, a table. Of these only `value` is requested. */
function bodyOf(n: number, modules: number): string {
  const functions = Array.from({ length: 6 }, (_, k) =>
    `function step${k}(input, options = {}) {
  const found = table.filter((one) => one > input + ${k} && one % ${k + 2} !== 0);
  if (options.strict && found.length === 0) throw new Error("no step ${k} of ${n} for " + input);
  return found.map((one) => ({ id: one, name: \`step ${k} \${one}\`, even: one % 2 === 0 }));
}`).join("\n");
  const table = Array.from({ length: 24 }, (_, k) => (n + 1) * (k + 3) % 997).join(", ");
  return `const table = [${table}];
${functions}
class Store {
  #kept = new Map();
  add(key, value) { this.#kept.set(key, { value, steps: [step0, step1, step2].map((step) => step(value).length) }); return this; }
  find(key) { return this.#kept.get(key) ?? null; }
}
const store = new Store().add("first", ${n});
const value = ${
    ['store.find("first").value * 7919 % 1000', ...childrenOf(n, modules).map((child) => `value${child}`)].join(" + ")
  };
`;
}

const moduleText = (n: number, modules: number) =>
  `${childrenOf(n, modules).map((child) => `import { value as value${child} } from "./m${child}.mjs";\n`).join("")}${
    bodyOf(n, modules)
  }export { step3, step4, step5, value };\n`;

/** All modules in one: each in a separate function, those that are imported first. */
const bundleText = (modules: number) =>
  Array.from({ length: modules }, (_, n) => modules - 1 - n)
    .map((n) => `const value${n} = (() => {\n${bodyOf(n, modules)}return value;\n})();\n`).join("");

const IMPORT = 'import { value } from "./m0.mjs";\n';

/** Returns code that opens a store by its adapter before the server listens, and puts a user's age into the reply. */
const storeText = (store: StoreChoice, folder: string) => {
  const adapter = fileURLToPath(new URL(`../../stores/${store}.ts`, import.meta.url));
  return `import { value as sum } from "./m0.mjs";
import { driver } from ${JSON.stringify(pathToFileURL(adapter).href)};
const store = await driver.open(${JSON.stringify(folder)});
const value = sum + (await store.find("${found().id}")).age;
`;
};

/**
 * The files of the program for a runtime, by name: `main.mjs` imports the modules, `bundle.mjs` has them all.
 * @param opens the store that `main.mjs` opens, and the folder it is in
 */
export function programFiles(
  modules: number,
  runtime: RuntimeName,
  opens: { readonly store: StoreChoice; readonly folder: string } = { store: "none", folder: "" },
): Readonly<Record<string, string>> {
  const main = readFileSync(new URL(`programs/${runtime}.mjs`, import.meta.url), "utf8");
  return {
    "main.mjs": opens.store === "none" ? main : main.replace(IMPORT, () => storeText(opens.store, opens.folder)),
    "bundle.mjs": main.replace(IMPORT, () => `${bundleText(modules)}const value = value0;\n`),
    ...Object.fromEntries(Array.from({ length: modules }, (_, n) => [`m${n}.mjs`, moduleText(n, modules)])),
  };
}
