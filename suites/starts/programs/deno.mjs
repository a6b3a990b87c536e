// deno-lint-ignore-file no-console -- it says where it listens
import { value } from "./m0.mjs";

const onListen = ({ port }) => console.log(port);
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, () => {
  // Compiled code is kept when a program ends by itself.
  if (Deno.env.get("LEVELFIELD_ONCE")) setTimeout(() => server.shutdown());
  return new Response(String(value));
});
