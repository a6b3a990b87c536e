/** What `bench run` measures in this folder: the app and its variant, under the requests people send. */
import { defineConfig } from "levelfield";

export default defineConfig({
  app: { hono: "./app.ts", plain: "./variant.ts" },
  requests: "./requests.jsonl",
  // How Bun and Hono write the type of JSON differs, and is nothing anybody would miss.
  ignore: "header:content-type",
  at: { connections: 50 },
  quick: true,
  presets: {
    night: { title: "as sure as a night allows", rounds: 40, duration: "10s" },
    bun: { title: "on one runtime, for a change of the app", rounds: 8, at: { runtime: "bun" } },
  },
});
