import { shellQuoted, shellWords } from "../basics/shell.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";

/** A file of another tool: its kind in words, and the command that converts it. */
export interface ForeignRequests {
  readonly what: string;
  readonly hint: string;
}

/** The hint where a request cannot be made of what was copied. */
export const AS_HAR = 'save what the browser sent as HAR, or "Copy as cURL (bash)"';

const TAKES_VALUE = /^(-[XHdbAeoumFTx]|--(request|header|data.*|json|cookie|user.*|url|referer|output|max-time|form))$/;
/** A word at which a shell ends a command, or sends its output elsewhere. */
const ENDS = /^(\||&&?|;|\d?>.*|<)$/;
const FORM = "content-type: application/x-www-form-urlencoded";

/** Returns the commands of curl in a script, each in one line, whichever shell it was copied for. */
function curlCommands(script: string): string[] {
  // Windows' shell escapes by a circumflex, at the ends of lines as well.
  const plain = /\^["\r\n]/.test(script) ? script.replaceAll(/\^\r?\n/g, " ").replaceAll(/\^(.)/g, "$1") : script;
  const lines = plain.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/).map((line) => line.replace(/^\s*(\$ )?/, ""));
  return lines.filter((line) => /^curl(\.exe)?\s/.test(line));
}

/** Returns our options that send what a command of curl sends, without its secrets; null if they cannot. */
function optionsOfCurl(command: string): string | null {
  // Bash reads escapes within $'…'.
  const plain = command.replaceAll(/\$'((?:\\[^]|[^'\\])*)'/g, (_, inner: string) => shellQuoted(unescaped(inner)));
  const words = shellWords(plain) ?? [];
  let method: string | undefined, path = "/", isQuery = false;
  const headers: string[] = [], bodies: string[] = [];
  for (let n = 1; n < words.length && !ENDS.test(words[n]!); n++) {
    const [, joined, rest] = /^(-[XHdbAeu])([^]+)$/.exec(words[n]!) ?? [], word = joined ?? words[n]!;
    const value = rest ?? (TAKES_VALUE.test(word) ? words[++n] ?? "" : word);
    if (/^(-F|--form|-T|--upload-file)$/.test(word)) return null;
    if (/^(-X|--request)$/.test(word)) method = value;
    else if (/^(-I|--head)$/.test(word)) method = "HEAD";
    else if (/^(-G|--get)$/.test(word)) isQuery = true;
    else if (/^(-H|--header)$/.test(word)) headers.push(value);
    else if (/^(-b|--cookie)$/.test(word)) headers.push(`cookie: ${value}`);
    else if (/^(-A|--user-agent)$/.test(word)) headers.push(`user-agent: ${value}`);
    else if (/^(-e|--referer)$/.test(word)) headers.push(`referer: ${value}`);
    else if (/^(-u|--user)$/.test(word)) headers.push(`authorization: Basic ${Buffer.from(value).toString("base64")}`);
    else if (word === "--data-urlencode") bodies.push(value.replace(/[^=]*$/, encodeURIComponent));
    else if (/^(-d|--data.*|--json)$/.test(word)) bodies.push(value);
    else if (!word.startsWith("-") || word === "--url") path = value.replace(/^([a-z]+:\/\/)?[^/?]*\/?/i, "/");
    if (word === "--json") headers.push("content-type: application/json");
  }
  const body = bodies.join("&"), hasType = headers.some((header) => /^content-type:/i.test(header));
  if (isQuery) path += (body === "" ? "" : path.includes("?") ? "&" : "?") + body;
  const sent = isQuery || bodies.length === 0 ? [] : ["--body", body];
  const all = sent.length > 0 && !hasType ? [...headers, FORM] : headers;
  const request = `${method ?? (sent.length > 0 ? "POST" : "GET")} ${path}`;
  return ["--request", request, ...all.flatMap((header) => ["--header", header]), ...sent]
    .map((word) => shellQuoted(withoutSecrets(word))).join(" ");
}

const SIGNS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string) =>
  text.replaceAll(
    /\\(?:[ux]([0-9a-f]{2,4})|([^]))/gi,
    (_, code, sign) => code === undefined ? SIGNS[sign] ?? sign : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Returns the kind of a script of curl, and our options that send the same, without its secrets; null for others. */
export function foreignLine(text: string): ForeignRequests | null {
  const commands = curlCommands(text);
  if (commands.length === 0) return null;
  const options = commands.map(optionsOfCurl), isForm = options.includes(null);
  const what = commands.length === 1 ? "a command line of curl" : `${commands.length} command lines of curl`;
  return { what, hint: isForm ? `${AS_HAR}: a form of files is sent as its bytes` : options.join(" ") };
}
