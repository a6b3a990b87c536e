import { connectPostgres, POSTGRES_DRIVER } from "./postgres/connect.ts";
import type { StoreDriver } from "./store.ts";
import { copyUser, type User } from "./user.ts";

/** A table of PostgreSQL, reached by Postgres.js, which prepares statements and pipelines them. */
export const driver: StoreDriver = {
  ...POSTGRES_DRIVER,
  name: "postgres",
  title: "a table of PostgreSQL, by Postgres.js",
  async open(_, options) {
    const { sql, describe, close } = await connectPostgres(options);
    return {
      find: async (id) =>
        (await sql<User[]>`SELECT id, name, email, age, country, "createdAt" FROM users WHERE id = ${id}`)[0],
      async create(user) {
        const { id, name, email, age, country, createdAt } = copyUser(user);
        await sql`INSERT INTO users VALUES (${id}, ${name}, ${email}, ${age}, ${country}, ${createdAt})
          ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email, age = excluded.age,
          country = excluded.country, "createdAt" = excluded."createdAt"`;
      },
      describe,
      close,
    };
  },
};
