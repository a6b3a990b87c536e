import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import type { World } from "../world.ts";
import type { OpenSql } from "./sql-driver.ts";

/** The used part of the client that build.ts has generated. */
interface Prisma {
  readonly world: {
    findUniqueOrThrow(query: object): Promise<World>;
    findMany(query: object): Promise<World[]>;
    update(change: object): Promise<unknown>;
  };
  $transaction(work: (tx: Prisma) => Promise<void>): Promise<void>;
  $disconnect(): Promise<void>;
}

const select = { id: true, randomnumber: true };

/** Prisma over node-postgres. It puts rows that are requested by key in one turn of the event loop into one query. */
export const open: OpenSql = async ({ host, port, pool: max }, directory) => {
  const { PrismaClient }: { PrismaClient: new (options: object) => Prisma } = await import(
    pathToFileURL(join(directory!, "client.ts")).href
  );
  const adapter = new PrismaPg({ host, port, user: "postgres", database: "postgres", max });
  const prisma = new PrismaClient({ adapter });
  return {
    one: (id) => prisma.world.findUniqueOrThrow({ where: { id }, select }),
    some: (ids) => prisma.world.findMany({ where: { id: { in: [...ids] } }, select }),
    change: (rows) =>
      prisma.$transaction(async (tx) => {
        for (const { id } of rows) await tx.world.findUniqueOrThrow({ where: { id }, select });
        for (const { id, randomnumber } of rows) {
          await tx.world.update({ where: { id }, data: { randomnumber, writes: { increment: 1 } } });
        }
      }),
    close: () => prisma.$disconnect(),
  };
};
