/** The colours of pages and pictures: each in light and in dark. Those of values have at least 4.5 to 1 on their paper. */
const PALETTE: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  page: ["#fbfaf8", "#14161a"],
  panel: ["#ffffff", "#1c1f25"],
  ink: ["#1b1e23", "#e9e7e2"],
  soft: ["#565d67", "#a9b0bb"],
  line: ["#dfdcd5", "#343942"],
  accent: ["#2459a8", "#7fb0f5"],
  good: ["#186a3b", "#7fd39d"],
  warn: ["#8a4b00", "#f0b45e"],
  bad: ["#b3201c", "#ff8f86"],
  "bad-soft": ["#fdeceb", "#3a1f20"],
  s0: ["#7a5195", "#c79be8"],
  s1: ["#b52f6c", "#f58ab5"],
  s2: ["#9a5800", "#f2b04f"],
  s3: ["#1f6fb2", "#6fb7f2"],
  s4: ["#1d7152", "#6bcfa5"],
  s5: ["#5f646c", "#b5bac2"],
  s6: ["#6d4c33", "#d3a987"],
  s7: ["#c03020", "#ff9d8a"],
  s8: ["#536d00", "#b6d45a"],
  s9: ["#0a717b", "#5fd0dc"],
};

/** The colours as rules of a page. */
export const paletteStyle = (): string =>
  `:root{color-scheme:light dark}:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}:root{${
    Object.entries(PALETTE).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`).join(";")
  }}`;

/** A drawing as a file, in light colours or those of the reader: not every program supports CSS variables. */
export function withColours(svg: string, theme: "light" | "both"): string {
  const used = new Set<string>();
  const text = svg.replace(/(?<==")var\(--([\w-]+)\)(?=")/g, (whole, name: string) => {
    if (!Object.hasOwn(PALETTE, name)) return whole;
    used.add(name);
    return PALETTE[name]![0];
  });
  if (theme !== "both") return text;
  const rules = [...used].map((name) => PALETTE[name]!).flatMap(([light, dark]) =>
    ["fill", "stroke", "color"].map((key) => `[${key}="${light}"]{${key}:${dark}}`)
  );
  return text.replace(">", `><style>@media(prefers-color-scheme:dark){${rules.join("")}}</style>`);
}
