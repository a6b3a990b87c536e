import pg from "pg";
import { appWith } from "./plain.ts";

const TIMESTAMP = 1184;
const parse = pg.types.getTypeParser(TIMESTAMP) as (text: string) => Date;
const TEXTS = Array.from({ length: 40 }, (_, n) => `2026-11-26 10:${10 + n}:00.123456+00`);

/** Rows of a database, as a driver reads them. */
function work(): number {
  let sum = 0;
  for (const text of TEXTS) sum += parse(text).getTime() % 7;
  return sum;
}

export default appWith(work);
