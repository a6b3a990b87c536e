/** A file as the body of a reply, as its runtime has it, with its length where a header must tell it. */
export type OpenFile = (path: string) => SentFile | Promise<SentFile>;

interface SentFile {
  readonly body: ReadableStream<Uint8Array> | Blob;
  readonly bytes?: number;
}
