/** The functions that `bench run drivers --generator in-process` calls: a driver's queries, without an app around them. */
import type { AppContext } from "../../servers/app.ts";
import type { Call, Calls } from "../../servers/calls/open-calls.ts";
import type { DriversOptions } from "./app.ts";
import type { OpenSql } from "./sql/sql-driver.ts";
import { byId, idsOf, LOADED, MANY, numberOf } from "./world.ts";

/** Rows of a workload, by its name. */
const ROWS_OF: Readonly<Record<string, number>> = { row: 1, rows: MANY, queries: MANY };

export async function open(context: AppContext): Promise<Calls> {
  const options = context.options as unknown as DriversOptions & { readonly workload: string };
  const { open }: { open: OpenSql } = await import(`./sql/${options.driver}.ts`);
  const client = await open(options, context.directory);
  const idsAt = (n: unknown) => idsOf(n as number, ROWS_OF[options.workload]!);
  const calls: Readonly<Record<string, Call>> = {
    row: async (n) => byId([await client.one(idsAt(n)[0]!)]),
    rows: async (n) => byId(await client.some(idsAt(n))),
    queries: async (n) => byId(await Promise.all(idsAt(n).map((id) => client.one(id)))),
  };
  return {
    calls,
    inputs: Array.from({ length: LOADED }, (_, n) => n),
    expect: (n) => idsAt(n).map((id) => ({ id, randomnumber: numberOf(id) })),
    close: () => client.close(),
  };
}
