import type { Axis, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { isOfCalls } from "../record/in-words.ts";
import { probeOf } from "./points.ts";

/** An axis as an option of the command line. */
export interface AxisOption {
  readonly name: string;
  readonly title: string;
  readonly role: Axis["role"];
  readonly binds?: Axis["binds"] | undefined;
  /** True of a suite of functions that takes the user's modules. */
  readonly ofFunctions?: boolean;
  readonly help: string;
  readonly defaults: readonly string[];
  /** Text of the value of the probe. */
  readonly probe: string;
}

/** A suite's word with the options its axes give it. */
export interface SuiteOptions {
  readonly suite: string;
  readonly title: string;
  readonly options: readonly AxisOption[];
}

/** The option an axis's name makes: `dataSeed` is `data-seed`, `items / page` is `items-page`. */
export function optionName(axis: string): string {
  return axis.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1-$2").toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
}

/**
 * The options of a suite's axes. Throws a usage error that names the suite and both when two would have one name.
 * @param reserved names of the driver's options
 */
export function axisOptions(suite: Suite, reserved: readonly string[]): SuiteOptions {
  const taken = new Map(reserved.map((name) => [name, "an option of bench"]));
  const probe = probeOf(suite);
  const ofFunctions = isOfCalls(suite) && suite.withModules !== undefined;
  const options = suite.axes.map((axis): AxisOption => {
    const name = optionName(axis.name);
    const other = name === "" ? "no option, for want of a letter" : taken.get(name);
    if (other !== undefined) {
      throw usageError(
        `suite "${suite.name}": axis "${axis.name}" would be --${name}, which is ${other}`,
        `give the axis "${axis.name}" another name`,
      );
    }
    taken.set(name, `axis "${axis.name}"`);
    return {
      name,
      title: axis.title,
      role: axis.role,
      binds: axis.binds,
      ofFunctions,
      help: axis.help,
      defaults: axis.values.map((value) => axis.format(value)),
      probe: axis.format(probe[axis.name]!),
    };
  });
  return { suite: suite.name, title: suite.title, options };
}
