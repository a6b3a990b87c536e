import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../basics/errors.ts";
import { findProgram } from "../machine/programs.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** A key of this process, and its certificate. */
interface RunCertificate {
  /** Files with key and certificate as PEM, which only this user may read. */
  readonly key: string;
  readonly cert: string;
  readonly pem: string;
}

const made = new Map<string, Promise<RunCertificate>>();

/** ECDSA on P-256: most certificates of the web use it, and every runtime accepts it. */
const KIND = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/**
 * Returns the certificate of all servers of one address while this process lives: made once by openssl, self-signed. Throws
 * a failure without openssl.
 */
export function runCertificate(hostname: string): Promise<RunCertificate> {
  const known = made.get(hostname) ?? make(hostname);
  made.set(hostname, known);
  return known;
}

async function make(hostname: string): Promise<RunCertificate> {
  const program = findProgram("openssl");
  if (program === undefined) {
    throw failure("TLS needs a certificate, and there is no openssl to make one", "apt-get install -y openssl");
  }
  const folder = scratchFolder("tls");
  process.once("exit", folder.remove);
  const key = join(folder.path, "key.pem"), cert = join(folder.path, "cert.pem");
  const names = `subjectAltName=IP:${hostname},DNS:localhost`;
  const words = ["req", "-x509", ...KIND, "-days", "30", "-subj", "/CN=levelfield", "-addext", names];
  await new Promise<void>((resolve, reject) =>
    execFile(program, [...words, "-keyout", key, "-out", cert], (error, _, said) => {
      if (error === null) resolve();
      else reject(failure(`openssl made no certificate: ${said.trim().split("\n").at(-1)}`, "openssl version"));
    })
  );
  return { key, cert, pem: readFileSync(cert, "utf8") };
}
