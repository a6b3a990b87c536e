import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { refuseOtherPackages } from "./package-managers.ts";

folderTest(
  "a package that the lock file does not install is refused by name, one of the workspace is not",
  (folder) => {
    const put = (tree: string, name: string, main: string, at = "node_modules") => {
      mkdirSync(join(folder, tree, at, name), { recursive: true });
      writeFileSync(join(folder, tree, at, name, "package.json"), JSON.stringify({ name, version: "1.0.0", main }));
    };
    const [yours, base] = [join(folder, "yours"), join(folder, "base")];
    const check = () => refuseOtherPackages(yours, base, { folder: "", lock: "package-lock.json", line: "npm ci" });
    for (const tree of ["yours", "base"]) {
      put(tree, "same", "a.js");
      put(tree, "@acme/same", "a.js");
      put(tree, "total", `${tree}.js`, "packages");
      symlinkSync("../packages/total", join(folder, tree, "node_modules", "total"));
    }
    put("yours", "extra", "a.js");
    check();
    put("base", "linked", "a.js");
    put("elsewhere", "linked", "a.js", "");
    symlinkSync(join(folder, "elsewhere", "linked"), join(yours, "node_modules", "linked"));
    assert.throws(check, /"node_modules\/linked" of yours is another package than package-lock\.json installs/);
    put("yours", "@acme/same", "b.js");
    assert.throws(check, /"node_modules\/@acme\/same" of yours/);
  },
);
