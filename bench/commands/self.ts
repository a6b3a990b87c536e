import type { ExitCode } from "../core/errors.ts";
import type { Context } from "./context.ts";
export async function selfCommand(_: Context): Promise<ExitCode> {
  return await Promise.resolve(0);
}
