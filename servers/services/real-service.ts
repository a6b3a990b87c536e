import { fileURLToPath } from "node:url";

/** Services whose programs have to be installed. */
type RealService = "postgres" | "redis";

/**
 * Returns the command that starts a service, and the one that only says whether its program is here. `{node}` stands for
 * the driver's Node.
 *
 * @param args the data it is filled with
 */
export function realService(name: RealService, args: readonly string[]) {
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return { command: ["{node}", script, ...args], look: ["{node}", script, "--look"] };
}
