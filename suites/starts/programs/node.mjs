// deno-lint-ignore-file no-console -- it says where it listens
import { value } from "./m0.mjs";
import { createServer } from "node:http";

const server = createServer((_request, response) => {
  response.end(String(value));
  // Compiled code is kept when a program ends by itself.
  if (process.env.LEVELFIELD_ONCE) server.close();
}).listen(0, "127.0.0.1", () => console.log(server.address().port));
