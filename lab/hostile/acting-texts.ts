/** Texts that act where a reader takes them for more than text; each has a number of its own, so that names stay apart. */

const CODE = "```";

/** Texts that bring markup, links, blocks, mentions, formulas or controls, by what would act. */
export const ACTING: Readonly<Record<string, (n: number) => string>> = {
  "HTML": (n) => `<script>window.hacked=${n}</script><img src=x onerror="window.hacked=${n}">`,
  "HTML in capitals, entities": (n) => `<IMG SRC=x ONERROR=window.hacked=${n}>&lt;b&gt;&#60;b&#62; &amp;`,
  "a comment": (n) => `--> <!-- results:end --> <!-- results/x:end --> ${n} <!--`,
  "a link": (n) => `[here](https://evil.example/${n}) [there][a] [there][] [there] ](//evil.example)`,
  "a picture": (n) => `![here](https://evil.example/${n}.png "t") ![a]`,
  "a definition": (n) => `[there]: https://evil.example/${n}`,
  "a definition of a footnote": (n) => `[^${n}]: note[^${n}]`,
  "an address": (n) =>
    `www.evil.example/${n} _www.evil.example https://evil.example _http://evil.example <x:y> a${n}@evil.example`,
  "a mention": (n) => `@evil-${n} @org/team-${n} #${n} a/b#${n} GH-${n} a/b@0123456`,
  "a heading": (n) => `# ${n}`,
  "an underline": (n) => "=".repeat(3 + n),
  "a rule": (n) => "-".repeat(3 + n),
  "a rule of stars": (n) => "* ".repeat(3 + n),
  "the rule of a table": (n) => `:-${"-".repeat(n)}`,
  "an item": (n) => `- ${n}`,
  "a numbered item": (n) => `${n}. here`,
  "a task": (n) => `[x] ${n}`,
  "a quote": (n) => `> [!WARNING] ${n}`,
  "a fence": (n) => `${CODE}js ${n}`,
  "a fence of tildes": (n) => `~~~ ${n}`,
  "code": (n) => `\`a\` \`\`b \`${n}`,
  "emphasis": (n) => `*a* __b__ ~~c~~ **${n}** $x^${n}$`,
  "a row": (n) => `a | b || \\| ${n} |`,
  "an end": (n) => `${n} \\`,
  "lines": (n) => `${n}\n\n# a\r\n\r\n- b\n${CODE}\n    c\u2028<b>d\u0085\u2029`,
  "direction": (n) => `\u202e${n}\u2066a\u200f\u061c\u200eb\u2069`,
  "a terminal's controls": (n) => `\u001b]0;x\u0007\u001b[2J\u001b[31m\u009b8m${n}\r\b\t\u007f`,
  "a formula": (n) => `=cmd|' /C calc'!A${n}`,
  "a formula after a separator": (n) => `a;=1+${n};"=2";+3;@SUM(1)\t-4,=5, "=6;'=7;\uff1d8\n=9`,
  "formulas by other signs": (n) => `+${n}+cmd|' /C calc'!A0`,
  "a formula in quotes": (n) => `"=1+${n}"";=2+${n}`,
};
