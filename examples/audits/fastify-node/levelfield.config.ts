/** Fastify against node:http alone: the README of https://github.com/fastify/fastify, 100 connections. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { fastify: "./fastify.mjs", node: "./node.mjs" },
  request: "GET /",
  rounds: 10,
  at: { runtime: ["node"], connections: [100] },
});
