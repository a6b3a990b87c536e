import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { loginBy } from "./scram.ts";

const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const message = (kind: string, body: Buffer) => Buffer.concat([Buffer.from(kind), int(4 + body.length), body]);

/** Where PostgreSQL is, and who asks. */
export interface Asker {
  readonly host: string;
  readonly port: number;
  /** `postgres` by default. */
  readonly user?: string;
  readonly password: string;
}

/**
 * Asks PostgreSQL one simple query over a new connection and gives the first value of the first row, as text. Throws
 * with what the server says where it refuses.
 */
export function simpleQuery({ host, port, user = "postgres", password }: Asker, query: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const startUp = Buffer.concat([int(3 << 16), Buffer.from(`user\0${user}\0database\0postgres\0\0`)]);
    const socket = connect(port, host, () => void socket.write(message("", startUp)));
    const answerTo = loginBy(password);
    let bytes = Buffer.alloc(0), value: string | undefined, ready = 0;
    const end = (act: () => void) => {
      socket.destroy();
      act();
    };
    const take = (kind: string, body: Buffer) => {
      const said = () => body.toString().split("\0").find((text) => text.startsWith("M"))?.slice(1);
      if (kind === "E") return end(() => reject(new Error(said())));
      if (kind === "R") {
        const answer = answerTo(body);
        if (answer !== null) socket.write(message("p", answer));
      }
      // Of a row: how many values, then of each its length and its bytes.
      if (kind === "D" && value === undefined) value = body.subarray(6, 6 + body.readInt32BE(2)).toString();
      if (kind !== "Z") return;
      // Ready once for the connection, once after the query.
      if (++ready === 1) socket.write(message("Q", Buffer.from(`${query}\0`)));
      else end(() => resolve(value ?? ""));
    };
    socket.on("error", reject).on("close", () => reject(new Error("PostgreSQL closed the connection")));
    socket.on("data", (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      while (bytes.length >= 5 && bytes.length > bytes.readInt32BE(1)) {
        const length = bytes.readInt32BE(1), kind = String.fromCharCode(bytes[0]!);
        const body = bytes.subarray(5, 1 + length);
        bytes = bytes.subarray(1 + length);
        try {
          take(kind, body);
        } catch (error) {
          end(() => reject(error));
        }
      }
    });
  });
}
