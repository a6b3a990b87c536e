import type { Body } from "../../suites/suite.ts";
import { WrongAnswer } from "../../suites/suite.ts";
import { counted } from "../basics/units.ts";

/** A part of the stream that a server sends over a WebSocket: a whole message, or a control frame. */
export type Received =
  | { readonly kind: "message"; readonly body: Body }
  | { readonly kind: "ping"; readonly bytes: Buffer }
  | { readonly kind: "pong" }
  /** Code 1005 stands for none (RFC 6455, 7.4.1). */
  | { readonly kind: "close"; readonly code: number };

/** Opcodes of RFC 6455, 5.2. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Longer messages are not compared. */
const MOST_MESSAGE_BYTES = 256 * 1_024 * 1_024;

interface Frame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
  /** Length of head and payload in bytes. */
  readonly bytes: number;
}

/**
 * Returns a reader of the frames that a server sends: without mask and without extension (RFC 6455, 5.1 and 5.2). Its
 * `read` takes a chunk and returns what it completes, in order. It throws a {@link WrongAnswer} for what is no frame.
 */
export function messageReader(name: string): { read(chunk: Buffer): Received[] } {
  const wrong = (what: string) => new WrongAnswer(`${name}: ${what}`);
  let rest: Buffer = Buffer.alloc(0);
  let opcode: number | null = null;
  let parts: Buffer[] = [];

  const complete = ({ final, opcode: of, payload }: Frame): Received | null => {
    if (of >= OPCODE.close) return controlOf(of, payload, final, wrong);
    if (of > OPCODE.binary) throw wrong(`a frame has opcode ${of}, which means nothing`);
    if ((of === OPCODE.continuation) !== (opcode !== null)) {
      throw wrong(opcode === null ? "a message begins with a continuation" : "a message begins within another");
    }
    opcode ??= of;
    parts.push(payload);
    if (parts.reduce((sum, { length }) => sum + length, 0) > MOST_MESSAGE_BYTES) {
      throw wrong(`a message is longer than ${MOST_MESSAGE_BYTES} bytes`);
    }
    if (!final) return null;
    const bytes = Buffer.concat(parts);
    const body = opcode === OPCODE.binary ? { base64: bytes.toString("base64") } : textOf(bytes, wrong);
    opcode = null;
    parts = [];
    return { kind: "message", body };
  };

  return {
    read(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const received: Received[] = [];
      for (let frame = frameOf(rest, wrong); frame !== null; frame = frameOf(rest, wrong)) {
        rest = rest.subarray(frame.bytes);
        const whole = complete(frame);
        if (whole !== null) received.push(whole);
      }
      return received;
    },
  };
}

type Wrong = (what: string) => WrongAnswer;

/** Returns the first frame of some bytes; null if it is not whole. */
function frameOf(bytes: Buffer, wrong: Wrong): Frame | null {
  if (bytes.length < 2) return null;
  const [first, second] = [bytes[0]!, bytes[1]!];
  if ((first & 0x70) !== 0) throw wrong("a frame has a bit of an extension, and none was agreed on");
  if ((second & 0x80) !== 0) throw wrong("a frame is masked, and only clients mask theirs");
  const short = second & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return null;
  const length = head === 2 ? short : head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > MOST_MESSAGE_BYTES) throw wrong(`a frame says it is ${counted(length, "byte")} long`);
  if (bytes.length < head + length) return null;
  return {
    final: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    payload: bytes.subarray(head, head + length),
    bytes: head + length,
  };
}

function controlOf(opcode: number, payload: Buffer, final: boolean, wrong: Wrong): Received {
  if (!final || payload.length > 125) throw wrong("a control frame is in pieces or longer than 125 bytes");
  switch (opcode) {
    case OPCODE.close:
      return { kind: "close", code: payload.length < 2 ? 1005 : payload.readUInt16BE(0) };
    case OPCODE.ping:
      return { kind: "ping", bytes: payload };
    case OPCODE.pong:
      return { kind: "pong" };
    default:
      throw wrong(`a frame has opcode ${opcode}, which means nothing`);
  }
}

function textOf(bytes: Buffer, wrong: Wrong): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrong("a text message is no UTF-8");
  }
}
