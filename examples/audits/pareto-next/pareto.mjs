// Pareto's server of the built app, as `pareto start` starts it. After childrentime/pareto at c462f58, benchmarks/pareto.
import { createRequire } from "node:module";
import process from "node:process";

process.env.NODE_ENV = "production";
createRequire(import.meta.url)("./programs/.pareto/.pareto/index.js");
