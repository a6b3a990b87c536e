import type { Body } from "../../suites/suite.ts";
import { WrongAnswer } from "../../suites/suite.ts";
import { counted } from "../basics/units.ts";
import { byteSink } from "./byte-sink.ts";

/** A part of the stream that a server sends over a WebSocket: a whole message, or a control frame. */
export type ReceivedPart =
  | { readonly kind: "message"; readonly body: Body }
  | { readonly kind: "ping"; readonly bytes: Buffer }
  | { readonly kind: "pong" }
  /** Code 1005: the frame has no code (RFC 6455, 7.4.1). */
  | { readonly kind: "close"; readonly code: number; readonly reason: string };

/** Opcodes of RFC 6455, 5.2. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Longer messages are not compared. */
const MOST_MESSAGE_BYTES = 256 * 1_024 * 1_024;

/** More frames than these make no message: a server may send empty ones without an end. */
const MOST_FRAMES = 65_536;

/** The longest head of a frame, without a mask, and the longest content of a control frame. */
const MOST_HEAD_BYTES = 10, MOST_CONTROL_BYTES = 125;

interface FrameHead {
  readonly final: boolean;
  readonly opcode: number;
  /** The length of its content in bytes. */
  readonly length: number;
}

/**
 * Returns a reader of frames without mask and without extension (RFC 6455, 5.1 and 5.2). Time and memory grow with the number
 * of bytes, whatever the chunks are and whatever lengths the frames claim.
 */
export function messageReader(name: string) {
  const wrong = (what: string) => new WrongAnswer(`${name}: ${what}`);
  const head = Buffer.alloc(MOST_HEAD_BYTES), message = byteSink(), control = byteSink();
  let frame: FrameHead | null = null, headBytes = 0, left = 0;
  /** The opcode of the message that has begun, and the number of its frames. */
  let opcode: number | null = null, frames = 0;

  const begins = ({ final, opcode: of, length }: FrameHead) => {
    if (of >= OPCODE.close) {
      if (!final || length > MOST_CONTROL_BYTES) {
        throw wrong(`a control frame is in pieces or longer than ${MOST_CONTROL_BYTES} bytes`);
      }
      return;
    }
    if (of > OPCODE.binary) throw wrong(`a frame has opcode ${of}, which means nothing`);
    if ((of === OPCODE.continuation) !== (opcode !== null)) {
      throw wrong(opcode === null ? "a message begins with a continuation" : "a message begins within another");
    }
    opcode ??= of;
    if (++frames > MOST_FRAMES) throw wrong(`a message has more than ${MOST_FRAMES} frames`);
    if (message.length + length > MOST_MESSAGE_BYTES) {
      throw wrong(`a message is longer than ${MOST_MESSAGE_BYTES} bytes`);
    }
  };
  const complete = ({ final, opcode: of }: FrameHead): ReceivedPart | null => {
    if (of >= OPCODE.close) return controlOf(of, control.take(), wrong);
    if (!final) return null;
    const bytes = message.take();
    const body = opcode === OPCODE.binary ? { base64: bytes.toString("base64") } : textOf(bytes, wrong);
    opcode = null;
    frames = 0;
    return { kind: "message", body };
  };

  return {
    /** Describes the part of a message that has come; null if there is none. */
    begun: (): string | null => frames === 0 ? null : `of a message ${counted(message.length, "byte")} came`,
    /** Returns the number of bytes copied so far, the cost of reading. */
    copied: (): number => message.copied + control.copied,
    /** Reads a chunk and returns the frames it completes, in order. Throws a {@link WrongAnswer} for malformed bytes. */
    read(chunk: Buffer): ReceivedPart[] {
      const received: ReceivedPart[] = [];
      for (let at = 0;;) {
        while (frame === null && at < chunk.length) {
          head[headBytes++] = chunk[at++]!;
          frame = headOf(head.subarray(0, headBytes), wrong);
          if (frame !== null) begins(frame);
          left = frame?.length ?? 0;
        }
        if (frame === null) return received;
        const part = chunk.subarray(at, at + left);
        (frame.opcode >= OPCODE.close ? control : message).add(part);
        at += part.length;
        left -= part.length;
        if (left > 0) return received;
        const whole = complete(frame);
        frame = null;
        headBytes = 0;
        if (whole !== null) received.push(whole);
      }
    },
  };
}

type Wrong = (what: string) => WrongAnswer;

/** Returns the head of a frame; null if it is not whole. */
function headOf(bytes: Buffer, wrong: Wrong): FrameHead | null {
  if (bytes.length < 2) return null;
  const [first, second] = [bytes[0]!, bytes[1]!];
  if ((first & 0x70) !== 0) throw wrong("a frame has a bit of an extension, and none was agreed on");
  if ((second & 0x80) !== 0) throw wrong("a frame is masked, and only clients mask theirs");
  const short = second & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return null;
  const length = head === 2 ? short : head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > MOST_MESSAGE_BYTES) throw wrong(`a frame says it is ${counted(length, "byte")} long`);
  return { final: (first & 0x80) !== 0, opcode: first & 0x0f, length };
}

function controlOf(opcode: number, payload: Buffer, wrong: Wrong): ReceivedPart {
  switch (opcode) {
    case OPCODE.close:
      // Its reason is text for people (RFC 6455, 5.5.1).
      return {
        kind: "close",
        code: payload.length < 2 ? 1005 : payload.readUInt16BE(0),
        reason: payload.subarray(2).toString(),
      };
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
