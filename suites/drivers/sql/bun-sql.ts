import { SQL } from "bun";
import type { World } from "../world.ts";
import type { OpenSql } from "./sql-driver.ts";

/** Bun's own: statements are prepared and queries pipelined by default; a transaction's may be sent at once. */
export const open: OpenSql = ({ host, port, pool: max, use }) => {
  const sql = new SQL({ adapter: "postgres", hostname: host, port, username: "postgres", database: "postgres", max });
  return {
    one: async (id) => (await sql`SELECT id, randomnumber FROM world WHERE id = ${id}`)[0] as World,
    some: async (ids) => await sql`SELECT id, randomnumber FROM world WHERE id IN ${sql([...ids])}` as World[],
    async change(rows) {
      await sql.begin(async (sql) => {
        const read = ({ id }: World) => sql`SELECT id, randomnumber FROM world WHERE id = ${id}`;
        const write = ({ id, randomnumber }: World) =>
          sql`UPDATE world SET randomnumber = ${randomnumber}, writes = writes + 1 WHERE id = ${id}`;
        if (use === "best") {
          await Promise.all(rows.map(read));
          await Promise.all(rows.map(write));
          return;
        }
        for (const row of rows) await read(row);
        for (const row of rows) await write(row);
      });
    },
    close: () => sql.end(),
  };
};
