// deno-lint-ignore-file no-console -- it says where it listens
import { value } from "./m0.mjs";

console.log(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(String(value)) }).port);
