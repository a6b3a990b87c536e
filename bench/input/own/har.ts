import { z } from "zod";
import { usageError } from "../../basics/errors.ts";
import type { OwnRequest } from "../../record/own-spec.ts";

const pair = z.object({ name: z.string(), value: z.string() });

/** What is read of a recording of a browser (HTTP Archive 1.2); other keys pass. */
const harSchema = z.object({
  log: z.object({
    entries: z.array(z.object({
      request: z.object({
        method: z.string(),
        url: z.string(),
        headers: z.array(pair).default([]),
        postData: z.object({ text: z.string().optional() }).optional(),
      }),
    })),
  }),
});

/** Headers that belong to the browser's connection, or ask for compressed replies that no oracle can read. */
const DROPPED =
  /^(:.*|host|connection|content-length|accept-encoding|transfer-encoding|keep-alive|upgrade.*|sec-.*|if-.*)$/;

/**
 * The requests of a recording of a browser that went to the host of its first one, equal ones counted as a weight. Throws a
 * usage error that names the file.
 */
export function requestsOfHar(text: string, path: string): OwnRequest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`"${path}" is no JSON`, "save the recording again: browsers call it HAR");
  }
  const parsed = harSchema.safeParse(value);
  if (!parsed.success) {
    const { path: key, message } = parsed.error.issues[0]!;
    throw usageError(
      `"${path}" is no recording of a browser: ${key.map(String).join(".")}: ${message}`,
      "save it again as HAR",
    );
  }
  const { entries } = parsed.data.log;
  const found = entries.filter(({ request: { url } }) => URL.canParse(url)).map(({ request }) => ({
    ...request,
    url: new URL(request.url),
  }));
  const host = found[0]?.url.host;
  if (host === undefined) throw usageError(`"${path}" has no requests`, "record a visit and save it again");
  const counts = new Map<string, OwnRequest & { weight: number }>();
  for (const { method, url, headers, postData } of found.filter((each) => each.url.host === host)) {
    const kept = headers.map(({ name, value }) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !DROPPED.test(name));
    const request = {
      method: method.toUpperCase(),
      // Braces stand for draws, of which a recording has none.
      path: `${url.pathname}${url.search}`.replaceAll("{", "%7B").replaceAll("}", "%7D"),
      ...(kept.length === 0 ? {} : { headers: Object.fromEntries(kept) }),
      ...(postData?.text === undefined || postData.text === "" ? {} : { body: postData.text }),
    };
    const key = JSON.stringify(request);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...request, weight: 1 });
    else known.weight++;
  }
  return [...counts.values()];
}
