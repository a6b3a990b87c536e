import { hasParts, jsonOf } from "../basics/bounded-json.ts";
import { shellQuoted, shellWords } from "../basics/shell.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";

/** A file of another tool: its kind in words, and the command that converts it. */
interface ForeignRequests {
  readonly what: string;
  readonly hint: string;
}

/** Removes scheme and host from an address, or the variable in their place. */
const AS_PATH = 'sub("^([a-z]+://)?[^/?]*/?";"/")';

/** Programs of jq that print one of our lines for each request, by the kind of file. */
const PROGRAMS = {
  // Postman nests other keys in `url` and `body`, and examples of requests in `response`.
  collection: 'del(..|.response?)|..|objects|select(has("method") and has("url"))' +
    `|{method,path:((.url.raw? // .url)|${AS_PATH})}` +
    "+([(.header//.headers)[]?|{(.key//.name):.value}]|add|if . then {headers:.} else {} end)" +
    "+((.body.raw? // .body.text?)|if . then {body:.} else {} end)",
  paths: ".paths|to_entries[]|.key as $path|.value|to_entries[]|select(.value.responses?)|{method:.key,path:$path}" +
    '+(.value.requestBody.content["application/json"].example|if . then {body:.} else {} end)',
  list: ".[]",
  object: ".",
  columns: '[inputs|rtrimstr("\\r")|split(",")]|.[0] as $names|.[1:][]|[$names,.]|transpose|map({(.[0]):.[1]})|add' +
    `|{method:(.method//"GET"),path:((.path//.url)|${AS_PATH})}`,
};

const withJq = (program: keyof typeof PROGRAMS, path: string, options = "-c") =>
  `jq ${options} '${PROGRAMS[program]}' ${shellQuoted(path)} > requests.jsonl, then --requests requests.jsonl`;

/** Returns the kind of a file that another tool wrote, and what converts it; null for any other text. */
export function foreignRequests(text: string, path: string): ForeignRequests | null {
  const value = jsonOf(text);
  if (hasParts(value)) return foreignValue(value, path, text.trim().includes("\n"));
  const yaml = /^(?:openapi|swagger):\s*["']?[\d.]+|^type:\s*collection\.insomnia\S*/m.exec(text)?.[0];
  if (yaml !== undefined) {
    const what = yaml.startsWith("type") ? "an export of Insomnia" : yaml.replace(/:\s*["']?/, " ");
    const file = shellQuoted(path.replace(/(\.ya?ml)?$/i, ".json"));
    return { what: `${what} in YAML`, hint: `npx js-yaml ${shellQuoted(path)} > ${file}, then --requests ${file}` };
  }
  const curl = /^(?:\$ )?(curl\s[^]*)/m.exec(text)?.[1];
  if (curl !== undefined && !text.trimStart().startsWith("{")) return foreignLine(curl);
  const [first = "", second = ""] = text.split(/\r?\n/);
  const names = first.split(",");
  if (second === "" || names.length < 2 || !names.every((name) => /^[\w "-]+$/.test(name))) return null;
  const what = "a table of comma-separated values with a header row";
  return names.includes("path") || names.includes("url")
    ? { what, hint: withJq("columns", path, "-Rnc") }
    : { what, hint: `tail -n +2 ${shellQuoted(path)} > rows.csv, and a draw of kind "rows" with "file":"rows.csv"` };
}

function foreignValue(value: Record<string, unknown>, path: string, isOverLines: boolean): ForeignRequests | null {
  const { info, openapi, swagger, _type: type } = value;
  const schema = hasParts(info) ? info["schema"] : undefined;
  if (typeof schema === "string" && schema.includes("getpostman")) {
    const version = /v(\d+\.\d+)/.exec(schema)?.[1] ?? "";
    return { what: `a collection of Postman ${version}`.trimEnd(), hint: withJq("collection", path) };
  }
  if (typeof (openapi ?? swagger) === "string") {
    const what = `${openapi === undefined ? "swagger" : "OpenAPI"} ${withoutSecrets(String(openapi ?? swagger))}`;
    return { what: what.slice(0, 40), hint: withJq("paths", path) };
  }
  if (type === "export" && "resources" in value || String(type ?? value["type"]).startsWith("collection.insomnia")) {
    return { what: "an export of Insomnia", hint: withJq("collection", path) };
  }
  if (Array.isArray(value)) return { what: "one list of JSON", hint: withJq("list", path) };
  return "path" in value && isOverLines
    ? { what: "one object over several lines", hint: withJq("object", path) }
    : null;
}

const TAKES_VALUE = /^(-[XHdbAeou]|--(request|header|data.*|json|cookie|user.*|url|referer|output|max-time))$/;

/** Returns the kind of a curl command line, and our options that send the same, without its secrets. */
export function foreignLine(line: string): ForeignRequests | null {
  if (!/^\s*curl\s/.test(line)) return null;
  const ended = line.replaceAll(/\\\r?\n/g, " ").split("\n")[0]!;
  const words = shellWords(ended) ?? [];
  let method: string | undefined, path = "/";
  const options: string[] = [], bodies: string[] = [];
  for (let n = 1; n < words.length; n++) {
    const word = words[n]!;
    const value = TAKES_VALUE.test(word) ? words[++n] ?? "" : word;
    if (/^(-X|--request)$/.test(word)) method = value;
    else if (/^(-H|--header)$/.test(word)) options.push("--header", value);
    else if (/^(-b|--cookie)$/.test(word)) options.push("--header", `cookie: ${value}`);
    else if (/^(-d|--data.*|--json)$/.test(word)) bodies.push(value);
    else if (!word.startsWith("-") || word === "--url") path = value.replace(/^([a-z]+:\/\/)?[^/?]*\/?/i, "/");
  }
  const body = bodies.length === 0 ? [] : ["--body", bodies.join("&")];
  const request = `${method ?? (bodies.length > 0 ? "POST" : "GET")} ${path}`;
  const same = ["--request", request, ...options, ...body].map((word) => shellQuoted(withoutSecrets(word)));
  return { what: "a command line of curl", hint: same.join(" ") };
}
