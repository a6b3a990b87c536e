/** x86 vendors by the name their CPUs give themselves (CPUID leaf 0). */
const VENDORS: Readonly<Record<string, string>> = {
  GenuineIntel: "intel",
  AuthenticAMD: "amd",
  HygonGenuine: "hygon",
  CentaurHauls: "centaur",
};

/** Longest kind that comes from a model's name: it becomes a part of a folder's name. */
const MOST_NAME = 48;

/**
 * Returns the kind of a CPU as a short word of lower-case letters, digits and dashes. Model names do not distinguish
 * kinds: two microarchitectures both call themselves "Intel(R) Xeon(R) Processor". So on x86 it is vendor, family and
 * model (`intel-6-207`, `amd-25-1`), on ARM implementer and part of each kind of core (`arm-41-d0c`), elsewhere the
 * model's name (`apple-m2`).
 *
 * @param cpuinfo text of /proc/cpuinfo; empty if there is none
 * @param model name the system gives the CPU: the brand string on macOS
 */
export function cpuKind(cpuinfo: string, model: string): string {
  const field = (name: string) => new RegExp(`^${name}[ \\t]*:[ \\t]*(\\S.*?)[ \\t]*$`, "m").exec(cpuinfo)?.[1];
  const [vendor, family, number] = [field("vendor_id"), field("cpu family"), field("model")];
  if (vendor !== undefined && /^\d+$/.test(family ?? "") && /^\d+$/.test(number ?? "")) {
    return `${Object.hasOwn(VENDORS, vendor) ? VENDORS[vendor] : slug(vendor)}-${family}-${number}`;
  }
  const cores = armCores(cpuinfo);
  return cores.length > 0 ? `arm-${cores.join("-")}` : slug(model);
}

/** Implementer and part of each kind of core, once each and in one order, whichever core is listed first. */
function armCores(cpuinfo: string): string[] {
  const cores = cpuinfo.split(/\n\s*\n/).flatMap((block) => {
    const implementer = /^CPU implementer\s*:\s*0x([0-9a-f]+)\s*$/im.exec(block)?.[1];
    const part = /^CPU part\s*:\s*0x([0-9a-f]+)\s*$/im.exec(block)?.[1];
    return implementer === undefined || part === undefined ? [] : `${implementer}-${part}`.toLowerCase();
  });
  return [...new Set(cores)].sort();
}

/** A name without trade marks, clock rates and punctuation; `unknown` if nothing is left. */
function slug(name: string): string {
  const words = name.toLowerCase().replace(/\((r|tm|c)\)/g, " ").replace(/@.*$/, " ").replace(
    /\b(cpu|processor)\b/g,
    " ",
  );
  return words.replace(/[^a-z0-9]+/g, "-").slice(0, MOST_NAME).replace(/^-|-$/g, "") || "unknown";
}
