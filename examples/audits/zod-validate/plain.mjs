// The same on schemas that are not compiled.
import { callsOf } from "./validate.mjs";

export default { calls: callsOf((schema) => schema) };
