import { appWith } from "./plain.ts";

/** A loop in the app itself. */
function work(): number {
  let sum = 1;
  for (let n = 0; n < 6_000; n++) sum = (sum * 31 + n) % 65_521;
  return sum;
}

export default appWith(work);
