// Ten megabytes a call.
import { callsOf } from "./streams.mjs";

export default callsOf(10);
