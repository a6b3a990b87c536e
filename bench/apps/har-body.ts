import { z } from "zod";
import type { Body } from "../../suites/suite.ts";
import { bodyOfBytes } from "../basics/body-bytes.ts";

const param = z.looseObject({
  name: z.string(),
  value: z.string().nullish(),
  fileName: z.string().nullish(),
  contentType: z.string().nullish(),
});

/** The body of a request in a recording (HTTP Archive 1.2); browsers name the encoding in two ways. */
export const postDataSchema = z.looseObject({
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  params: z.array(param).nullish(),
  encoding: z.string().nullish(),
  _encoding: z.string().nullish(),
});

type PostData = z.infer<typeof postDataSchema>;

/** A body and its media type; a text says why it cannot be sent. */
type Posted = { readonly body?: Body; readonly type?: string } | string;

/** The boundary of a form whose recording has none. */
const BOUNDARY = "----levelfield-form-boundary";

/** The body that was sent, by its header `type` and its length in bytes, as far as the recording has these. */
export function postedBody(post: PostData | null | undefined, type: string | undefined, bytes: number | null): Posted {
  const text = post?.text ?? "", params = post?.params ?? [];
  const kind = type ?? (post?.mimeType || undefined);
  if (text === "" && params.length === 0) return (bytes ?? 0) > 0 ? `its body of ${bytes} bytes is not in it` : {};
  const posted = text === ""
    ? formOf(params, kind)
    : textOf(text, post?.encoding ?? post?._encoding ?? null, kind, bytes);
  return typeof posted === "string" || kind === undefined ? posted : { type: kind, ...posted };
}

function textOf(text: string, encoding: string | null, kind: string | undefined, bytes: number | null): Posted {
  if (encoding !== null && encoding !== "") {
    if (encoding.toLowerCase() !== "base64") return `its body is in ${JSON.stringify(encoding)}, which is not base64`;
    const base64 = text.replace(/\s+/g, "");
    return z.base64().safeParse(base64).success
      ? { body: bodyOfBytes(Buffer.from(base64, "base64")) }
      : "its body is no base64";
  }
  if (bytes === null || bytes <= 0 || Buffer.byteLength(text) === bytes) return { body: text };
  // Some recorders write each byte of binary data as one character.
  if (text.length === bytes && !/[^\0-\xff]/.test(text)) return { body: bodyOfBytes(Buffer.from(text, "latin1")) };
  const cut = /^multipart\//i.test(kind ?? "") ? "its files are not in it" : text.includes("\ufffd")
    ? "it is no text"
    // A longer one was edited by hand.
    : Buffer.byteLength(text) < bytes
    ? "its end is not in it"
    : null;
  return cut === null
    ? { body: text }
    : `its body was not kept whole, ${cut}: ${Buffer.byteLength(text)} of ${bytes} bytes`;
}

function formOf(params: readonly z.infer<typeof param>[], kind = "application/x-www-form-urlencoded"): Posted {
  if (/^application\/x-www-form-urlencoded\b/i.test(kind)) {
    return { body: new URLSearchParams(params.map(({ name, value }) => [name, value ?? ""])).toString(), type: kind };
  }
  if (!/^multipart\/form-data\b/i.test(kind)) {
    return `its form is sent as ${JSON.stringify(kind)}, and its text is not in it`;
  }
  const file = params.find(({ fileName, value }) => fileName && (value ?? null) === null);
  if (file !== undefined) return `what the file "${file.fileName}" held is not in it`;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(kind) ?? [];
  const boundary = quoted ?? plain ?? BOUNDARY;
  const parts = params.map(({ name, value, fileName, contentType }) =>
    [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${escaped(name)}"${fileName ? `; filename="${escaped(fileName)}"` : ""}`,
      ...(contentType ? [`Content-Type: ${contentType}`] : []),
      "",
      `${value ?? ""}\r\n`,
    ].join("\r\n")
  );
  return {
    body: `${parts.join("")}--${boundary}--\r\n`,
    type: quoted === undefined && plain === undefined ? `${kind}; boundary=${boundary}` : kind,
  };
}

/** The name of a form field, as browsers write it. */
const escaped = (name: string) => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
