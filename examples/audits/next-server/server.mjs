// Next's standalone server, which takes its address from PORT and HOSTNAME.
import process from "node:process";

process.env.HOSTNAME = process.env.HOST ?? "127.0.0.1";
await import("./programs/.next/standalone/server.js");
