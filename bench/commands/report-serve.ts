import type { ExitCode } from "../core/errors.ts";
import type { Context } from "./context.ts";
export async function serveReports(_: Context): Promise<ExitCode> {
  return 1;
}
