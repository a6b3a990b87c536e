import { parse } from "hono/utils/cookie";
import { appWith } from "./plain.ts";

const COOKIES = Array.from({ length: 60 }, (_, n) => `name${n}=value-${n}`).join("; ");

/** A header that the framework reads. */
const work = (): number => Object.keys(parse(COOKIES)).length;

export default appWith(work);
