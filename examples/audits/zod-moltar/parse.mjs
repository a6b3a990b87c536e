// The object of the moltar benchmarks, by Zod 3, Zod 4 and Zod 4 compiled: parsed, and asked whether it is valid.
// After moltar/typescript-runtime-type-benchmarks, cases "parseSafe" and "assertLoose". One object, taken from an array.
import * as three from "zod/v3";
import * as four from "zod/v4";
import { callOn } from "../zod-compile/schemas.mjs";

const DATA = {
  ...{
    number: 1,
    negNumber: -1,
    maxNumber: Number.MAX_VALUE,
    string: "string",
    longString: "Lorem ipsum ".repeat(110),
  },
  ...{ boolean: true, deeplyNested: { foo: "bar", num: 1, bool: false } },
};

const schemaOf = (z, objectOf) =>
  objectOf({
    number: z.number(),
    negNumber: z.number(),
    maxNumber: z.number(),
    string: z.string(),
    longString: z.string(),
    boolean: z.boolean(),
    deeplyNested: objectOf({ foo: z.string(), num: z.number(), bool: z.boolean() }),
  });

const old = schemaOf(three, three.object), now = schemaOf(four, four.object);
const compiled = four.compile(now, { strict: true });
const loose = schemaOf(four, four.looseObject), compiledLoose = four.compile(loose, { strict: true });

export default {
  calls: {
    "parse-3": callOn((data) => old.parse(data), DATA),
    "parse-4": callOn((data) => now.parse(data), DATA),
    "parse-compiled": callOn((data) => compiled.parse(data), DATA),
    "valid-4": callOn((data) => four.validate(loose, data), DATA),
    "valid-compiled": callOn((data) => four.validate(compiledLoose, data), DATA),
  },
  // Some give the object, some a boolean.
  same: false,
};
