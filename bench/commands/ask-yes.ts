/** What a question needs of a terminal. */
interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Asks on a terminal, and waits. Enter alone, anything but yes and the end of input are a no. */
export async function askYes(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  stderr.write(`${question} [y/N] `);
  const answer = await new Promise<string>((resolve) => {
    stdin.once("data", (text) => resolve(String(text)));
    stdin.once("end", () => resolve("\n"));
    stdin.once("error", () => resolve("\n"));
  });
  stdin.pause();
  if (!answer.endsWith("\n")) stderr.write("\n");
  return /^\s*y(es)?\s*$/i.test(answer);
}
