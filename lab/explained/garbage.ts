import { appWith } from "./plain.ts";

/** What was made for the last requests is kept, so that it outlives a collection and is garbage after. */
const KEPT: object[][] = Array.from({ length: 500 }, () => []);
let at = 0;

function work(): number {
  KEPT[at++ % KEPT.length] = Array.from({ length: 400 }, (_, id) => ({ id }));
  return at;
}

export default appWith(work);
