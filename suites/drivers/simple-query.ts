import { Buffer } from "node:buffer";
import { connect } from "node:net";

const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/**
 * Asks PostgreSQL one simple query over a connection of its own and gives the first value of the first row, as text. It trusts
 * us without a password. Throws with what the server says where it refuses.
 */
export function simpleQuery(
  { host, port }: { readonly host: string; readonly port: number },
  query: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const startUp = Buffer.from("user\0postgres\0database\0postgres\0\0");
    const asked = Buffer.from(`${query}\0`);
    const socket = connect(port, host, () => {
      socket.write(Buffer.concat([int(8 + startUp.length), int(3 << 16), startUp]));
      socket.write(Buffer.concat([Buffer.from("Q"), int(4 + asked.length), asked]));
    });
    let bytes = Buffer.alloc(0), value: string | undefined, ready = 0;
    const end = (act: () => void) => {
      socket.destroy();
      act();
    };
    socket.on("error", reject).on("close", () => reject(new Error("PostgreSQL closed the connection")));
    socket.on("data", (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      while (bytes.length >= 5 && bytes.length > bytes.readInt32BE(1)) {
        const kind = String.fromCharCode(bytes[0]!), length = bytes.readInt32BE(1);
        const body = bytes.subarray(5, 1 + length);
        bytes = bytes.subarray(1 + length);
        if (kind === "E") {
          return end(() => reject(new Error(body.toString().split("\0").find((text) => text.startsWith("M")))));
        }
        // Of a row: how many values, then of each its length and its bytes.
        if (kind === "D" && value === undefined) value = body.subarray(6, 6 + body.readInt32BE(2)).toString();
        // Ready once for the connection, once after the query.
        if (kind === "Z" && ++ready === 2) return end(() => resolve(value ?? ""));
      }
    });
  });
}
