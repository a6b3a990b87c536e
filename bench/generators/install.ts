import type { Generator } from "./generator.ts";

/** Every command that installs a generator, for an error or a table: `"apt-get install -y wrk", "brew install wrk" or …`. */
export function installHint({ install }: Pick<Generator, "install">): string {
  const commands = Object.values(install).map((command) => `"${command}"`);
  const last = commands.pop()!;
  return commands.length === 0 ? last : `${commands.join(", ")} or ${last}`;
}
