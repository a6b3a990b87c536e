// One megabyte a call.
import { callsOf } from "./streams.mjs";

export default callsOf(1);
