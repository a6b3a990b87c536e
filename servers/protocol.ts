/** The protocol of a server: HTTP/1.1, the same over TLS, HTTP/2 over TLS, or HTTP/2 without TLS from the first byte. */
export type Protocol = "http" | "https" | "h2" | "h2c";

/** True if it uses TLS. */
export const isTls = (protocol: Protocol): boolean => protocol === "https" || protocol === "h2";

/** The address of a server that listens. */
export const urlOf = (
  { hostname, protocol = "http" }: { readonly hostname: string; readonly protocol?: Protocol },
  port: number,
): string => `${isTls(protocol) ? "https" : "http"}://${hostname}:${port}`;
