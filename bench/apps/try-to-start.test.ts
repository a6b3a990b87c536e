import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { app, record } from "../../tests/record-apps.ts";
import { folderTest, ranToEnd } from "../../tests/testing.ts";
import { failureText } from "../basics/failures.ts";
import { appOf } from "../options/read-draft.ts";
import { inspectRuntime, locateRuntime } from "../runtimes/runtimes.ts";
import { readAsCommonjs } from "./try-to-start.ts";

const ENDS = "export default { fetch: () => new Response() };\n";
const SAID = 'package.json says "type": "commonjs", so Node reads app.ts as CommonJS: ' +
  'write "type": "module" there, or call it app.mts';

folderTest(
  "where Node refuses a module as CommonJS, the line of package.json that causes it is named",
  async (folder) => {
    const node = locateRuntime("node").file;
    const said = async (type: string, text: string) => {
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
      writeFileSync(join(folder, "app.ts"), text);
      const { code, stderr } = await ranToEnd(node, [join(folder, "app.ts")], folder);
      assert.equal(code, 1, text);
      const failure = readAsCommonjs(appOf(undefined, join(folder, "app.ts")), "node", process.cwd(), stderr);
      return failure && failureText(failure);
    };
    for (const text of ['import "node:fs";\n', "", "await Promise.resolve();\n"]) {
      assert.equal(await said("commonjs", `${text}${ENDS}`), SAID, text);
    }
    assert.equal(await said("commonjs", 'throw new Error("no database");'), null, "another error");
    assert.equal(await said("module", "await 1 +;"), null, "another type");
  },
);

test("an app that Node reads as CommonJS is named before the other runtimes are tried, and they are measured", async () => {
  const files = {
    "package.json": '{"name":"first","type":"commonjs"}',
    // The loader for what Node does not strip makes CommonJS of it, too, which has no await at its top.
    "app.ts": `await Promise.resolve();\n${ENDS}`,
  };
  const runtimes = [await inspectRuntime("node"), await inspectRuntime("bun")];
  await record(files, (folder) => [app("app")(folder)], (spec, told) => {
    assert.deepEqual(told, [`app on ${runtimes[0]!.label}: does not start: ${SAID}`, "app on bun: answers"]);
    assert.deepEqual(spec.refused.map(({ reason }) => reason), [`does not start: ${SAID}`]);
  }, { runtimes });
});
