import { appWith } from "./plain.ts";

let kept = 1;

/** A loop in the app itself. */
function grind(): number {
  let x = kept;
  for (let n = 0; n < 20_000; n++) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
  kept = x;
  return x;
}

export default appWith(grind);
