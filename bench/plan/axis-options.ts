import type { Axis, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";

/** A suite with its axes by the options that set them. */
export interface SuiteOptions {
  readonly suite: Suite;
  readonly axes: ReadonlyMap<string, Axis>;
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
  const axes = new Map<string, Axis>();
  for (const axis of suite.axes) {
    const name = optionName(axis.name);
    const other = name === "" ? "no option, for want of a letter" : taken.get(name);
    if (other !== undefined) {
      throw usageError(
        `suite "${suite.name}": axis "${axis.name}" would be --${name}, which is ${other}`,
        `give the axis "${axis.name}" another name`,
      );
    }
    taken.set(name, `axis "${axis.name}"`);
    axes.set(name, axis);
  }
  return { suite, axes };
}
