// A hello world as text: Elysia on Bun, Express 5 elsewhere, as the comparison on https://elysiajs.com mixes them.
import process from "node:process";

await import(process.versions.bun === undefined ? "./express.mjs" : "./elysia.mjs");
