/*
 * Readers of what macOS programs print. Pure: text in, values out; undefined when the text is not as documented.
 */

/** `sysctl name …`: lines of `name: value`. Names it does not know are left out. */
export function parseSysctl(text: string): Map<string, string> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const match = /^([\w.]+): (.*)$/.exec(line);
      return match === null ? [] : [[match[1]!, match[2]!.trim()] as const];
    }),
  );
}

/** `vm_stat`: bytes that can be had without swapping: free, inactive, speculative and purgeable pages. */
export function parseMemoryUse(text: string): number | undefined {
  const page = /page size of (\d+) bytes/.exec(text)?.[1];
  const pages = (name: string) => Number(new RegExp(`^Pages ${name}:\\s+(\\d+)\\.?$`, "m").exec(text)?.[1] ?? NaN);
  const bytes = Number(page ?? NaN) *
    (pages("free") + pages("inactive") + pages("speculative") + pages("purgeable"));
  return Number.isFinite(bytes) ? bytes : undefined;
}

/** `vm_stat`: pages brought in from swap and taken out to it since boot. */
export function parseSwappedPages(text: string): number | undefined {
  const count = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)\\.?$`, "m").exec(text)?.[1] ?? NaN);
  const pages = count("Swapins") + count("Swapouts");
  return Number.isFinite(pages) ? pages : undefined;
}

/** `vm.swapusage` of sysctl: bytes of swap in use, `total = 2048.00M  used = 1024.50M  free = …`. */
export function parseSwapUse(text: string): number | undefined {
  const match = /used = (\d+(?:[.,]\d+)?)([KMG])/.exec(text);
  if (match === null) return undefined;
  const factor = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }[match[2] as "K" | "M" | "G"];
  return Math.round(Number(match[1]!.replace(",", ".")) * factor);
}

/** `pmset -g batt`: what the machine draws from. */
export function parseBattery(text: string): "mains" | "battery" | undefined {
  const source = /drawing from '(AC|Battery|UPS) Power'/.exec(text)?.[1];
  return source === undefined ? undefined : source === "AC" ? "mains" : "battery";
}

/** `pmset -g`: whether low power mode is on; machines without that mode do not list it. */
export function parsePowerMode(text: string): boolean {
  return /^\s*(?:lowpowermode|powermode)\s+1\b/m.test(text);
}

/** A counter of `netstat -s -p tcp`: a number and the words after it. */
export function parseTcpCounter(text: string, words: RegExp): number | undefined {
  const match = new RegExp(`^\\s*(\\d+) ${words.source}`, "m").exec(text);
  return match === null ? undefined : Number(match[1]);
}
