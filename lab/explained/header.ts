import { idle } from "../timed-work.ts";
import { appWith } from "./plain.ts";

/** Their names. */
export const MORE_HEADERS: readonly string[] = Array.from({ length: 40 }, (_, n) => `x-more-${n}`);

/** Headers more in the reply: the runtime's HTTP code and what joins the framework to it write them. */
export default appWith(idle, MORE_HEADERS);
