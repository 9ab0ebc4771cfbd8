import { StringDecoder } from "node:string_decoder";

/**
 * Cuts a stream of bytes into lines as .NET's StreamReader.ReadLine does for the runner: a lone CR ends a line too, so
 * text after it can begin with a command.
 */
export class LineSplitter {
  /** All that came, as text. */
  raw = "";
  readonly #decoder = new StringDecoder("utf8");
  readonly #take: (line: string) => void;
  #rest = "";

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  /** Takes the next bytes of the stream. */
  write(bytes: Buffer): void {
    this.#add(this.#decoder.write(bytes));
  }

  /** The stream has ended: what is left is a line. */
  end(): void {
    this.#add(this.#decoder.end());
    if (this.#rest !== "") this.#take(this.#rest.replace(/\r$/, ""));
    this.#rest = "";
  }

  #add(text: string): void {
    this.raw += text;
    // A CR at the very end may be the first half of CRLF: it waits for what follows.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }
}
