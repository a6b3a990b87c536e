import { hasParts, jsonOf } from "../basics/bounded-json.ts";
import { shellQuoted } from "../basics/shell.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { AS_HAR, foreignLine, type ForeignRequests } from "./foreign-line.ts";

/** Removes scheme and host from an address, or the variable in their place. */
const AS_PATH = 'sub("^([a-z]+://)?[^/?]*/?";"/")';
const CELLS = 'with_entries(.key|=ascii_downcase)|{method:(.method//"GET"),' +
  `path:((.path//.url)|${AS_PATH})}+(if (.body//"")=="" then {} else {body} end)`;

/** Programs of jq that print one of our lines for each request, by the kind of file. */
const PROGRAMS = {
  // Postman nests other keys in `url` and `body`, and examples of requests in `response`.
  collection: "def on:map(select(.disabled|not)); " +
    'def pairs:on|map("\\(.key//.name|@uri)=\\(.value//""|tostring|@uri)")|join("&"); ' +
    'del(..|.response?)|..|objects|select(has("method") and has("url"))|' +
    '((.header//.headers)|if type=="array" then on|map({((.key//.name)|ascii_downcase):.value})|add//{} else {} end)' +
    ' as $headers|(.body//.rawModeData|if type=="object" then . else {raw:.} end) as $sent' +
    "|($sent|(.urlencoded//.params)|if . then pairs else null end) as $form|" +
    "($sent|.raw//.text//(.graphql|select(.)|{query,variables:(.variables|fromjson?)}|tojson)//$form) as $body|" +
    `{method,path:(reduce (.url.variable? // [])[] as $one ((.url.raw? // .url)|${AS_PATH};` +
    'sub("/:\\($one.key)(?=[/?]|$)";"/\\($one.value)"))+((.parameters//[])|pairs|if .=="" then . else "?"+. end))}' +
    '+($headers+(if $form then {"content-type":"application/x-www-form-urlencoded"} else {} end)' +
    "|if .=={} then {} else {headers:.} end)+(if $body then {body:$body} else {} end)",
  paths: "def value:.example//.default//(.examples?|objects|[.[].value][0])//.schema.example?; " +
    '((.servers[0].url? // .basePath//"")|sub("^[a-z]+://[^/]*";"")|rtrimstr("/")) as $base|.paths|to_entries[]' +
    "|.key as $path|.value as $all|.value|to_entries[]|select(.value.responses?)|" +
    "(($all.parameters//[])+(.value.parameters//[])) as $given|{method:.key,path:($base+reduce ($given[]|select(" +
    '.in=="path" and value)) as $one ($path;sub("\\\\{\\($one.name)\\\\}";"\\($one|value)")))}+(((.value.requestBody' +
    '.content["application/json"]|objects|value)//([$given[]|select(.in=="body")|value][0]))' +
    "|if . then {body:.} else {} end)",
  scenarios:
    '..|objects|to_entries[]|select((.key|IN("get","post","put","patch","delete")) and (.value|objects|.url))' +
    `|{method:.key,path:(.value.url|${AS_PATH})}+(.value|(if .headers then {headers} else {} end)` +
    "+(.json//.body|if . then {body:.} else {} end))",
  list: ".[]",
  lists: ".requests[]",
  object: ".",
  addresses: `select(.!="")|{path:${AS_PATH}}`,
  columns:
    `[inputs|rtrimstr("\\r")|split(",")]|.[0] as $names|.[1:][]|[$names,.]|transpose|map({(.[0]):.[1]})|add|${CELLS}`,
  cells: `.[]|${CELLS}`,
};

/** Returns the name of a file that is not the one that is read. */
const beside = (path: string, name: string) => path.split("/").at(-1) === name ? `made-${name}` : name;

function withJq(program: keyof typeof PROGRAMS, path: string, options = "-c", made = ""): string {
  const to = beside(path, "requests.jsonl");
  return `${made}jq ${options} '${PROGRAMS[program]}'${made === "" ? ` ${shellQuoted(path)}` : ""} > ${to}` +
    `, then --requests ${to}`;
}

/** A proxy between a script and the server: one that a script is told of, many pass by for loopback. */
const BY_PROXY = () =>
  "mitmdump -p 8081 --mode reverse:http://127.0.0.1:3000 --set hardump=sent.har, send that to port 8081, then " +
  "--requests sent.har";
const made = (path: string) => shellQuoted(path.replace(/(\.\w+)?$/, ".json"));

/** Texts that are no JSON, by how they begin. */
const TEXTS: readonly (readonly [begins: RegExp, what: string, hint: (path: string) => string])[] = [
  [/^\s*(?:await )?fetch\(/, "a call of fetch that a browser copied", () => AS_HAR],
  [/^\s*(?:\$session|Invoke-)/, "a command of PowerShell that a browser copied", () => AS_HAR],
  [/^\s*<[^]*<jmeterTestPlan/, "a test plan of JMeter", BY_PROXY],
  [/^\s*</, "XML", BY_PROXY],
  [/^(?:import|export) [^]*["']k6["'/]/m, "a script of k6", BY_PROXY],
  [/^\s*(?:import|export|const|var|let|from|package|wrk\.\w+ =|["']use strict)\b/, "a script", BY_PROXY],
  [/^meta \{[^]*^(?:get|post|put|patch|delete) \{/m, "a request of Bruno", () => "export its collection for Postman"],
  [/^\s*[[{]\s*\n[^]*^\}\s*^\{/m, "objects over several lines", (path) => withJq("object", path)],
  [
    /^\s*(?:\/\/.*\s+|\/\*[^]*?\*\/\s*)*[[{]\s*(?:\/[/*].*)?\n/,
    "JSON5, or JSON with comments or a mistake",
    (path) => `npx json5 ${shellQuoted(path)} > ${made(`made-${path.split("/").at(-1)}`)}, then --requests that`,
  ],
  [
    /^\S+ .*"[A-Z]+ \/\S* HTTP\/[\d.]+"/,
    "a log of a server",
    (path) =>
      `sed -nE 's/.*"([A-Z]+) (\\/[^" ]*) HTTP.*/{"method":"\\1","path":"\\2"}/p' ${shellQuoted(path)} > ` +
      `${beside(path, "requests.jsonl")}, then --requests ${beside(path, "requests.jsonl")}`,
  ],
  [/^(?:https?:\/)?\/\S+\s*$/m, "a list of addresses", (path) => withJq("addresses", path, "-Rc")],
  [
    /^\s*(?:(?:#|\/\/|@).*\s+)*(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+/,
    "lines of requests",
    () => `--request 'GET /items/42' for each, with --header and --body after it`,
  ],
];

/** Kinds of files in YAML that no line names, by a line that they have. */
const YAML: readonly (readonly [has: RegExp, what: string])[] = [
  [/^type:\s*collection\.insomnia/m, "an export of Insomnia"],
  [/^scenarios:/m, "a script of Artillery"],
];

/** Returns the kind of a file that another tool wrote, and what converts it; null for any other text. */
export function foreignRequests(text: string, path: string): ForeignRequests | null {
  const value = jsonOf(text);
  if (hasParts(value)) return foreignValue(value, path, text.trim().includes("\n"));
  const yaml = /^(?:openapi|swagger):\s*["']?[\d.]+/m.exec(text)?.[0].replace(/:\s*["']?/, " ") ??
    YAML.find(([has]) => has.test(text))?.[1] ?? (/\.ya?ml$/i.test(path) ? "a file" : null);
  if (yaml !== null) {
    const file = made(path);
    return { what: `${yaml} in YAML`, hint: `npx js-yaml ${shellQuoted(path)} > ${file}, then --requests ${file}` };
  }
  if (!/^\s*\{/.test(text)) {
    const curl = foreignLine(text);
    if (curl !== null) return curl;
  }
  const known = /\.har$/i.test(path) ? undefined : TEXTS.find(([begins]) => begins.test(text));
  return known === undefined ? foreignTable(text, path) : { what: known[1], hint: known[2](path) };
}

function foreignTable(text: string, path: string): ForeignRequests | null {
  const [first = "", second = ""] = text.split(/\r?\n/);
  const sign = [",", ";", "\t"].find((each) => first.includes(each));
  const names = first.split(sign ?? ",").map((name) => name.replaceAll(/^\s*"|"\s*$/g, "").toLowerCase());
  const isTable = sign !== undefined || /\.[ct]sv$/i.test(path);
  if (second === "" || !isTable || !names.every((name) => /^[\w -]+$/.test(name))) return null;
  const what = "a table of comma-separated values with a header row";
  if (!names.includes("path") && !names.includes("url")) {
    const rows = beside(path, "rows.csv");
    return { what, hint: `tail -n +2 ${shellQuoted(path)} > ${rows}, and a draw of kind "rows" with "file":"${rows}"` };
  }
  if (sign === "," && !text.includes('"')) return { what, hint: withJq("columns", path, "-Rnc") };
  const read = `npx csvtojson --delimiter=${shellQuoted(sign ?? ",")} ${shellQuoted(path)} | `;
  return { what, hint: withJq("cells", path, "-c", read) };
}

function foreignValue(value: Record<string, unknown>, path: string, isOverLines: boolean): ForeignRequests | null {
  const { info, openapi, swagger, _type: type, collection, requests } = value;
  if (hasParts(collection) && hasParts(collection["info"])) return foreignValue(collection, path, isOverLines);
  const schema = hasParts(info) ? info["schema"] : undefined;
  if (typeof schema === "string" && schema.includes("getpostman")) {
    const version = /v(\d+\.\d+)/.exec(schema)?.[1] ?? "";
    const auth = JSON.stringify(value).includes('"auth":')
      ? '; --header "authorization: …" gives what it logs in by'
      : "";
    return { what: `a collection of Postman ${version}`.trimEnd(), hint: withJq("collection", path) + auth };
  }
  if ("_postman_variable_scope" in value) {
    return { what: "an environment of Postman, which holds no requests", hint: "export the collection" };
  }
  if (Array.isArray(requests)) {
    const what = "order" in value ? "a collection of Postman 1" : 'an object with "requests"';
    return { what, hint: withJq(hasParts(requests[0]) && "url" in requests[0] ? "collection" : "lists", path) };
  }
  if ("scenarios" in value) return { what: "a script of Artillery", hint: withJq("scenarios", path) };
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
