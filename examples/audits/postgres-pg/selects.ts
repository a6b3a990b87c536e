/** Ten thousand selects sent at once. After porsager/postgres-benchmarks: a row of pg_type by its name, a pool of four. */
import process from "node:process";
import type { AppContext } from "../../../servers/app.ts";
import type { Calls } from "../../../servers/calls/open-calls.ts";

const AT_ONCE = 10_000, CONNECTIONS = 4, NAME = "int4";

/** A driver: its select of one row, and its end. */
interface Driver {
  one(): PromiseLike<unknown>;
  end(): Promise<unknown>;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

export async function open({ options }: AppContext): Promise<Calls> {
  const { host, port, driver } = options;
  const place = { host: String(host), port: Number(port), password: process.env["PGPASSWORD"] ?? "" };
  const { one, end } = await (driver === "pg" ? pg(place) : postgresJs(place));
  return {
    calls: {
      async selects() {
        const rows = await Promise.all(Array.from({ length: AT_ONCE }, one));
        const { typname, typlen } = rows.at(-1) as Record<string, unknown>;
        return { rows: rows.length, typname, typlen };
      },
    },
    expect: () => ({ rows: AT_ONCE, typname: NAME, typlen: 4 }),
    close: async () => void await end(),
  };
}

async function postgresJs(place: Place): Promise<Driver> {
  const { default: postgres } = await import("postgres");
  const sql = postgres({ ...place, user: "postgres", database: "postgres", max: CONNECTIONS });
  return {
    one: async () => (await sql`select * from pg_catalog.pg_type where typname = ${NAME}`)[0],
    end: () => sql.end(),
  };
}

async function pg(place: Place): Promise<Driver> {
  const { Pool } = (await import("pg")).default;
  const pool = new Pool({ ...place, user: "postgres", database: "postgres", max: CONNECTIONS });
  return {
    one: async () => (await pool.query("select * from pg_catalog.pg_type where typname = $1", [NAME])).rows[0],
    end: () => pool.end(),
  };
}
