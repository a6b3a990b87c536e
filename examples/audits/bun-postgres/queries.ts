/** A hundred queries of a hundred rows at once. After oven-sh/bun, bench/postgres/index.mjs. */
import process from "node:process";
import type { AppContext } from "../../../servers/app.ts";
import type { Calls } from "../../../servers/calls/open-calls.ts";
import { USERS } from "./users.ts";

const IN_FLIGHT = 100;

/** Where PostgreSQL is. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** The part of both drivers that is used: Bun's is made after Postgres.js. */
interface Driver {
  (query: TemplateStringsArray): PromiseLike<readonly unknown[]>;
  end(): Promise<void>;
}

export async function open({ options, runtime }: AppContext): Promise<Calls> {
  const { host, port, driver } = options;
  const place = { host: String(host), port: Number(port), password: process.env["PGPASSWORD"] ?? "" };
  const sql = await (runtime === "bun" && driver === "published" ? bunSql(place) : postgresJs(place));
  return {
    calls: {
      async hundred() {
        const replies = await Promise.all(Array.from({ length: IN_FLIGHT }, () => sql`SELECT * FROM users LIMIT 100`));
        return {
          rows: replies.reduce((sum, rows) => sum + rows.length, 0),
          last: { ...(replies.at(-1)!.at(-1) as object) },
        };
      },
    },
    expect: () => ({ rows: IN_FLIGHT * USERS.length, last: USERS.at(-1) }),
    close: () => sql.end(),
  };
}

async function postgresJs(place: Place): Promise<Driver> {
  const { default: postgres } = await import("postgres");
  return postgres({ ...place, user: "postgres", database: "postgres" });
}

async function bunSql({ host, port, password }: Place): Promise<Driver> {
  const { SQL } = await import("bun");
  return new SQL({ adapter: "postgres", hostname: host, port, username: "postgres", database: "postgres", password });
}
