import type { Interrupts } from "../machine/interrupts.ts";
import { takeMachine } from "../files/run-lock.ts";
import { clearUp } from "./scratch-folder.ts";

/**
 * Does some work while this process alone has the machine, and gives it back however that ends. What killed benches left is
 * cleared away first.
 * Signals are listened for before the machine is taken and until it is given back, so that none leaves a lock behind.
 *
 * @param interrupts that listen already; released in the end
 * @param lock file in place of the machine's own
 * @throws as {@link takeMachine} does, and as the work does
 */
export async function withMachine<T>(interrupts: Interrupts, work: () => Promise<T>, lock?: string): Promise<T> {
  let giveBack = () => {};
  try {
    giveBack = takeMachine(lock);
    clearUp();
    return await work();
  } finally {
    giveBack();
    interrupts.release();
  }
}
