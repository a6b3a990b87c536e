import { connect as connectPlain, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { isTls, type Protocol } from "../../servers/protocol.ts";
import { LIMITS } from "../machine/clock.ts";
import { LOOPBACK } from "../machine/listening-ports.ts";
import { runCertificate } from "./run-certificate.ts";

/** The protocol between a server and its clients. */
export interface ServerProtocol {
  readonly protocol: Protocol;
  /** The one certificate it may have, as PEM; of a protocol over TLS alone. */
  readonly certificate?: string;
}

interface ToSpeak {
  /** Files with key and certificate; null without TLS. */
  readonly files: { readonly key: string; readonly cert: string } | null;
  /** Left out for plain HTTP/1.1. */
  readonly spoken?: ServerProtocol;
}

/** Returns the protocol for a new server, with the run's certificate if it needs TLS. Throws if none can be made. */
export async function protocolForServer(
  { protocol = "http", hostname = LOOPBACK }: { readonly protocol?: Protocol; readonly hostname?: string },
): Promise<ToSpeak> {
  if (protocol === "http") return { files: null };
  const files = isTls(protocol) ? await runCertificate(hostname) : null;
  return { files, spoken: { protocol, ...(files === null ? {} : { certificate: files.pem }) } };
}

/** Returns how to speak to a server that listens, with the facts of a handshake; an Error if the handshake fails. */
export async function protocolSpokenBy(
  url: string,
  { spoken }: ToSpeak,
): Promise<{ readonly spoken?: ServerProtocol; readonly negotiated?: Readonly<Record<string, string>> } | Error> {
  if (spoken === undefined) return {};
  return await negotiate(url, spoken).then((negotiated) => ({ spoken, negotiated }), (error: Error) => error);
}

/** Options of a connection over TLS: it trusts one certificate, and offers one version of HTTP by ALPN. */
const tlsOptions = ({ protocol, certificate = "" }: ServerProtocol) => ({
  ca: certificate,
  ALPNProtocols: [protocol === "h2" ? "h2" : "http/1.1"],
});

/** Connects to a server, over TLS if it speaks that. */
export function openSocket(url: string, spoken: ServerProtocol): Socket {
  const { hostname, port } = new URL(url);
  const at = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) };
  return isTls(spoken.protocol)
    ? connect({ ...at, ...tlsOptions(spoken) }).setNoDelay(true)
    : connectPlain({ ...at, noDelay: true });
}

/** Returns the reason of a failed handshake that no retry can mend; null for any other error. */
export function handshakeFault({ code = "", message }: NodeJS.ErrnoException): string | null {
  // If a write fails first, the code is EPROTO and only the message names the fault.
  const upper = `${code} ${message}`.toUpperCase().replaceAll(" ", "_");
  if (upper.includes("NO_APPLICATION_PROTOCOL")) return "it speaks TLS, and not the version of HTTP requested by ALPN";
  if (upper.includes("WRONG_VERSION_NUMBER")) return "it does not answer in TLS: have it do so where PROTOCOL says it";
  return /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)
    ? `its certificate is another one (${code}): have it serve the files TLS_KEY and TLS_CERT name`
    : null;
}

/**
 * Makes one TLS handshake and returns what was negotiated, as facts of a server: `tls_version`, `tls_cipher`, `alpn`; none
 * without TLS. Rejects with an Error in one line for another certificate, for no TLS, and if HTTP/2 is wanted and not
 * agreed on.
 */
export function negotiate(url: string, spoken: ServerProtocol): Promise<Record<string, string>> {
  if (!isTls(spoken.protocol)) return Promise.resolve({});
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ...tlsOptions(spoken) });
    const fails = (message: string) => (clearTimeout(timer), socket.destroy(), reject(new Error(message)));
    const late = () => fails("it does not come to the end of a handshake of TLS");
    const timer = setTimeout(late, LIMITS.handshakeMs);
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
