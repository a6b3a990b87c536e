#!/usr/bin/env node
/** Starts the driver of an installed package, on the runtime that was asked to run this file. */
const LEAST_NODE = [20, 12] as const;

const { bun, deno, node } = process.versions;
const [major = 0, minor = 0] = node.split(".").map(Number);
if (bun === undefined && deno === undefined && (major - LEAST_NODE[0] || minor - LEAST_NODE[1]) < 0) {
  process.stderr.write(`error: Levelfield runs on Node ${LEAST_NODE.join(".")} or newer, this is ${node}\n`);
  process.stderr.write("  try: npm install node, and again; or bunx --bun levelfield\n");
  process.exitCode = 2;
} else {
  await import("../bench/older-node.js" as string);
  await import("../bench/main.ts");
}
