// Next's server of the built app, as `next start` starts it. After childrentime/pareto at c462f58, benchmarks/nextjs.
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

process.env.NODE_ENV = "production";
const { startServer } = await import("./programs/node_modules/next/dist/server/lib/start-server.js");
await startServer({
  dir: `${import.meta.dirname}/programs/next`,
  port: Number(PORT),
  hostname: HOST,
  isDev: false,
  allowRetry: false,
});
