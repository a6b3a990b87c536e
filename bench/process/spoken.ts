import { connect as connectPlain, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { LAST_RESORT } from "../machine/last-resort.ts";
import { isTls, type Protocol } from "../../servers/protocol.ts";

/** How a server is spoken to. */
export interface Spoken {
  readonly protocol: Protocol;
  /** The one certificate it may have, as PEM; of a protocol over TLS alone. */
  readonly certificate?: string;
}

/** Options of a connection over TLS: one certificate is trusted, and ALPN asks for one version of HTTP. */
export const tlsOptions = ({ protocol, certificate = "" }: Spoken) => ({
  ca: certificate,
  ALPNProtocols: [protocol === "h2" ? "h2" : "http/1.1"],
});

/** Connects to a server, over TLS where it speaks that. */
export function openSocket(url: string, spoken: Spoken): Socket {
  const { hostname, port } = new URL(url);
  const at = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) };
  return isTls(spoken.protocol)
    ? connect({ ...at, ...tlsOptions(spoken) }).setNoDelay(true)
    : connectPlain({ ...at, noDelay: true });
}

/** What is wrong with a handshake, where no time will change it; null for any other error. */
export function handshakeFault({ code = "", message }: NodeJS.ErrnoException): string | null {
  // Where a write finds out first, the code is EPROTO and the message says it.
  const said = `${code} ${message}`.toUpperCase().replaceAll(" ", "_");
  if (said.includes("NO_APPLICATION_PROTOCOL")) return "it speaks TLS, and not the version of HTTP asked for by ALPN";
  if (said.includes("WRONG_VERSION_NUMBER")) return "it does not answer in TLS: have it do so where PROTOCOL says it";
  return /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)
    ? `its certificate is another one (${code}): have it serve the files TLS_KEY and TLS_CERT name`
    : null;
}

/**
 * Shakes hands once and tells what was negotiated, as facts of a server: `tls_version`, `tls_cipher`, `alpn`; none without
 * TLS. Rejects with an Error in one line for another certificate, for no TLS, and where HTTP/2 is asked for and not agreed on.
 */
export function negotiate(url: string, spoken: Spoken): Promise<Record<string, string>> {
  if (!isTls(spoken.protocol)) return Promise.resolve({});
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ...tlsOptions(spoken) });
    const fails = (message: string) => (clearTimeout(timer), socket.destroy(), reject(new Error(message)));
    const late = () => fails("it does not come to the end of a handshake of TLS");
    const timer = setTimeout(late, LAST_RESORT.handshakeMs);
    socket.on("error", (error) => fails(handshakeFault(error) ?? `its handshake of TLS broke off: ${error.message}`));
    socket.on("close", () => fails("it closes connections within the handshake of TLS"));
    socket.once("secureConnect", () => {
      const { alpnProtocol: alpn } = socket;
      if (spoken.protocol === "h2" && alpn !== "h2") {
        return fails("it speaks TLS, and no HTTP/2: ALPN did not agree on h2");
      }
      resolve({ ...negotiatedOf(socket), alpn: alpn || "none" });
      clearTimeout(timer);
      socket.destroy();
    });
  });
}

const negotiatedOf = (socket: TLSSocket) => ({
  tls_version: socket.getProtocol() ?? "unknown",
  tls_cipher: socket.getCipher().standardName,
});
