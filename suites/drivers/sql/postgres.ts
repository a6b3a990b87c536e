import postgres from "postgres";
import type { World } from "../world.ts";
import type { OpenSql } from "./sql-driver.ts";

/** Postgres.js: statements are prepared and queries pipelined by default; a transaction's may be sent at once. */
export const open: OpenSql = ({ host, port, pool: max, use }) => {
  const sql = postgres({ host, port, user: "postgres", database: "postgres", max });
  return {
    one: async (id) => (await sql<World[]>`SELECT id, randomnumber FROM world WHERE id = ${id}`)[0]!,
    some: (ids) => sql<World[]>`SELECT id, randomnumber FROM world WHERE id = ANY(${ids as number[]})`,
    async change(rows) {
      await sql.begin(async (sql) => {
        const read = ({ id }: World) => sql<World[]>`SELECT id, randomnumber FROM world WHERE id = ${id}`;
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
