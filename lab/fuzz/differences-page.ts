import type { KnownDifference, KnownFault } from "./differences.ts";

const HEAD = `# Parser differences

What Node, Deno and Bun make of requests that are odd or broken, where they differ, and why that is no fault of an app.
\`bench self --only fuzz\` sends the same requests to every app on each runtime and holds status and body of the replies
against each other; a difference that is not in this list is a fault.

This page is made from \`lab/fuzz/known-differences.ts\`, the list that is held against the replies. An answer is the
statuses of the replies in order, \`*\` any of them but a 5xx. \`closed\`: the connection is closed without a reply.
\`waits\`: nothing comes before the client says that it sends no more. \`app\`: the request is handed to the app; all
runtimes that do so must answer with the same status and the same body. \`any\`: the app gets a request of the runtime's
own making, another path or another body, and answers that.
`;

const FAULTS = `## Faults of frameworks

A client's fault is answered with a 5xx. Nothing in the sample apps could mend it but a check of each request, which
would be measured; so these are counted and told, and no others are let pass.
`;

const listOf = (names: readonly string[]) => names.map((name) => `- ${name}`).join("\n");

/** A paragraph in lines of the width that docs have; what stands between back ticks stays together. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || longer.length > 120) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}

/** The page docs/experiments/parser-differences.md, as Markdown. */
export function differencesPage(known: readonly KnownDifference[], faults: readonly KnownFault[]): string {
  const parts = [...Map.groupBy(known, ({ apps }) => apps?.join(", ") ?? "")].map(([apps, entries]) => {
    const title = apps === "" ? "All apps" : `Of ${apps}`;
    return `## ${title}\n\n${entries.map(entryOf).join("\n")}`;
  });
  const wrong = faults.map(({ apps, of, why }) => `${wrapped(`${why} (${apps.join(", ")})`)}\n\n${listOf(of)}\n`);
  return [HEAD, ...parts, FAULTS, ...wrong].join("\n");
}

function entryOf({ of, answers, why }: KnownDifference): string {
  const described = Object.entries(answers).map(([runtime, words]) =>
    `${runtime} ${words.split("|").map((word) => `\`${word}\``).join(" ")}`
  );
  return `${wrapped(why)}\n\n${wrapped(described.join("; "))}\n\n${listOf(of)}\n`;
}
