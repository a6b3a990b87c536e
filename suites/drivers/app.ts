/** One Hono app over any driver of PostgreSQL. */
import process from "node:process";
import { Hono } from "hono";
import type { OpenApp } from "../../servers/app.ts";
import { simpleQuery } from "./simple-query.ts";
import { SQL_DRIVERS } from "./sql/registry.ts";
import type { OpenSql, SqlOptions } from "./sql/sql-driver.ts";
import { versionsOf } from "../package-versions.ts";
import { byId, CHANGED, idsOf, LOADED, MANY, writtenOf } from "./world.ts";

/** Options that suite.ts hands to the app. */
export interface DriversOptions extends SqlOptions {
  readonly driver: string;
}

export const open: OpenApp = async (context) => {
  const options = context.options as unknown as DriversOptions;
  const { open }: { open: OpenSql } = await import(`./sql/${options.driver}.ts`);
  const client = await open(options, context.directory);
  const app = new Hono();
  app.get("/row/:n", async (c) => {
    const { id, randomnumber } = await client.one(idsOf(Number(c.req.param("n")), 1)[0]!);
    return c.json({ id, randomnumber });
  });
  app.get("/rows/:n", async (c) => c.json(byId(await client.some(idsOf(Number(c.req.param("n")), MANY)))));
  app.get(
    "/queries/:n",
    async (c) => c.json(byId(await Promise.all(idsOf(Number(c.req.param("n")), MANY).map((id) => client.one(id))))),
  );
  app.post("/updates/:n", async (c) => {
    const rows = idsOf(Number(c.req.param("n")), CHANGED).map((id) => ({ id, randomnumber: writtenOf(id) }));
    await client.change(rows);
    return c.json(rows);
  });
  // The rows written, as PostgreSQL itself reports them, without any driver.
  app.get("/written", async (c) => {
    const query = `SELECT coalesce(sum(writes), 0) FROM world WHERE id <= ${LOADED}`;
    return c.text(await simpleQuery({ ...options, password: process.env["PGPASSWORD"] ?? "" }, query));
  });
  return {
    fetch: app.fetch,
    describe: () => ({ diskBytes: null, facts: versionsOf(SQL_DRIVERS[options.driver]!.packages) }),
    close: () => client.close(),
  };
};
