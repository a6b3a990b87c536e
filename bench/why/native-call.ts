/** JSON's functions, as servers/native-calls.ts names them. */
export const JSON_CALLS = /\/servers\/native-calls\.[jt]s$/;

/** Functions of the runtimes that are native code behind JavaScript: their files, and the names that count; else any. */
const IN_FILES: readonly { readonly file: RegExp; readonly names?: readonly string[]; readonly title?: string }[] = [
  { file: JSON_CALLS },
  { file: /^(node:|internal:|ext:deno_node\/)(internal\/)?crypto\b/ },
  // One function makes all of zlib's, under a name of its own.
  { file: /^(node:|ext:deno_node\/_?)zlib\b/, title: "zlib" },
  { file: /^(node:internal\/worker\/js_transferable|ext:deno_web\/13_message_port)/, names: ["structuredClone"] },
  { file: /^(node:internal\/deps\/undici|ext:deno_fetch\/23_response)/, names: ["json"], title: "Response.json" },
];

/** The same as Bun names them: native functions without a file. */
const WITHOUT_FILE: ReadonlyMap<string, string> = new Map([
  ...(["parse", "stringify"] as const).map((name) => [name, `JSON.${name}`] as const),
  ...("structuredClone json pbkdf2Sync scryptSync hkdfSync argon2Sync hash createHash createHmac createCipheriv " +
    "createDecipheriv createSign createVerify update digest final sign verify randomBytes randomUUID randomInt " +
    "randomFillSync timingSafeEqual")
    .split(" ").map((name) => [name, name] as const),
]);

/** Returns the name of a sampled function that is a native call on each runtime; null for any other. */
export function nativeCall(
  { functionName, url }: { readonly functionName: string; readonly url: string },
): string | null {
  if (url === "" || url === "native") return WITHOUT_FILE.get(functionName) ?? null;
  const found = IN_FILES.find(({ file, names }) => file.test(url) && (names?.includes(functionName) ?? true));
  return found === undefined ? null : found.title ?? (functionName || "(anonymous)");
}

/** Layers whose functions are written by the user, or by a package's author. */
const WRITTEN: readonly string[] = ["app", "template", "data", "driver", "framework", "adapter", "unknown"];

/** True if a layer is code of the user or of a package, and not of the runtime. */
export const isWritten = (layer: string | null): boolean => layer !== null && WRITTEN.includes(layer);
