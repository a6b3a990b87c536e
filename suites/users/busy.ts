/** SQLite's code for a file another connection is writing (sqlite.org/rescode.html); extended codes keep it in their low byte. */
const SQLITE_BUSY = 5;

/**
 * True if an error says that another process held the store. Engines report it in different fields, and drizzle-orm
 * passes the engine's error on as a cause.
 */
export function isBusy(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { errcode, errno } = each as { errcode?: unknown; errno?: unknown };
    for (const code of [errcode, errno]) if (typeof code === "number" && (code & 0xff) === SQLITE_BUSY) return true;
    if (each.message.includes("database is locked")) return true;
  }
  return false;
}
