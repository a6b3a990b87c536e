import type { Option } from "./options.ts";

/** What is said of servers of one's own; bench/input/own/ reads it. */
export const OWN_OPTIONS = [
  {
    name: "app",
    value: "[a=]FILE",
    repeat: true,
    help: "your own app: a module that exports a Hono app, { fetch } or a fetch function; several are variants",
  },
  {
    name: "command",
    value: "[a=]WORDS",
    repeat: true,
    help: "your own server, any program: started, pinned, watched and stopped; {port} in it becomes a free port",
  },
  {
    name: "target",
    value: "[a=]URL",
    repeat: true,
    help: "a server that runs already, on loopback: neither started, pinned nor stopped",
  },
  { name: "pid", value: "N", help: "with --target: its process, for counters (default: none, and no bound is known)" },
  { name: "ready", value: "/PATH", help: "with --command: path that answers once it is ready (default: /)" },
  { name: "request", value: "'GET /'", repeat: true, help: "a request to your own servers (default: GET /)" },
  {
    name: "requests",
    value: "FILE",
    repeat: true,
    help: "requests with weights and draws, a JSON line each; or a .har",
  },
  { name: "header", value: "'a: b'", repeat: true, help: "header of the --request before it; before any, of all" },
  { name: "body", value: "@FILE", repeat: true, help: "body of the --request before it: a file's, or the text itself" },
  {
    name: "env",
    value: "NAME",
    repeat: true,
    help: "a variable your own servers see; its value is never written down",
  },
  { name: "expect", value: "200", repeat: true, help: "statuses that are right (default: replies as first recorded)" },
  {
    name: "ignore",
    value: "PART",
    repeat: true,
    help: "what of a recorded reply may differ: header:etag, json:user.time",
  },
] as const satisfies readonly Option[];
