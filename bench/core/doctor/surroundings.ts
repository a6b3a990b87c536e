import type { MachineFacts } from "./facts.ts";

/** Whether this is known to be a guest. */
export function isGuest(facts: MachineFacts): boolean {
  return "value" in facts.virtualMachine && facts.virtualMachine.value !== null;
}

/** Why nothing here mends what only the machine below can change. */
export function noneHere(facts: MachineFacts): { none: string } {
  if (isGuest(facts)) return { none: "only outside this VM" };
  if ("value" in facts.container && facts.container.value !== null) return { none: "only outside this container" };
  return { none: facts.os === "darwin" ? "macOS does not offer it" : "this kernel does not offer it" };
}
