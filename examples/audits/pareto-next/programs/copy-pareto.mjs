// Pareto takes pages whose names end in .tsx. They are written as .jsx and copied, since no types are in them.
import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";

rmSync(".pareto", { recursive: true, force: true });
cpSync("pareto", ".pareto/app", { recursive: true });
for (const file of readdirSync(".pareto/app", { recursive: true }).filter((name) => name.endsWith(".jsx"))) {
  renameSync(`.pareto/app/${file}`, `.pareto/app/${file.replace(/jsx$/, "tsx")}`);
}
