import { Elysia } from "elysia";
import type { OpenApp } from "../../../servers/app.ts";

/** Elysia. Where it makes a 204 itself it sends an empty text along, which Deno refuses: so the icon is a Response. */
export const open: OpenApp = () => {
  const app = new Elysia()
    .derive(() => ({ first: 1 }))
    .derive(() => ({ second: 2 }))
    .get("/favicon.ico", () => new Response(null, { status: 204 }))
    .get("/seen", ({ first, second }) => `${first} ${second}`)
    .get("/users/:id", ({ params }) => `User: ${params.id}`);
  return { fetch: (request) => app.fetch(request) };
};
