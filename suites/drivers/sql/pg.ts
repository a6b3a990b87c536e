import type { World } from "../world.ts";
import { openPool } from "./open-pool.ts";
import type { OpenSql } from "./sql-driver.ts";

/** node-postgres: statements have no names by default, and are parsed each time; named ones are prepared once. */
export const open: OpenSql = (options) => {
  const { use } = options;
  const pool = openPool(options);
  const named = (name: string) => use === "best" ? { name } : {};
  const one = { ...named("one"), text: "SELECT id, randomnumber FROM world WHERE id = $1" };
  const some = { ...named("some"), text: "SELECT id, randomnumber FROM world WHERE id = ANY($1)" };
  const write = {
    ...named("write"),
    text: "UPDATE world SET randomnumber = $1, writes = writes + 1 WHERE id = $2",
  };
  return {
    one: async (id) => (await pool.query<World>({ ...one, values: [id] })).rows[0]!,
    some: async (ids) => (await pool.query<World>({ ...some, values: [ids] })).rows,
    async change(rows) {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        for (const { id } of rows) await client.query<World>({ ...one, values: [id] });
        for (const { id, randomnumber } of rows) await client.query({ ...write, values: [randomnumber, id] });
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
};
