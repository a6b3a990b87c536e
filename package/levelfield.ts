#!/usr/bin/env node
/** Starts the driver of an installed package, on the runtime that was asked to run this file. */
const LEAST_NODE = 24;

const { bun, deno, node } = process.versions;
if (bun === undefined && deno === undefined && Number(node.split(".")[0]) < LEAST_NODE) {
  process.stderr.write(`error: Levelfield runs on Node ${LEAST_NODE} or newer, this is ${node}\n`);
  process.stderr.write("  try: npm install node, and again; or bunx --bun levelfield\n");
  process.exitCode = 2;
} else {
  await import("../bench/main.ts");
}
