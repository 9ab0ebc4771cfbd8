import { StringDecoder } from "node:string_decoder";
import { SaxesParser } from "saxes";
import { ByteWindow } from "../../../files/json/byte-window.ts";
import { MAX_DEPTH } from "../../../files/json/bytes.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import type { ResultFile } from "../../rows/result-file.ts";

/** What a document is made of, in its order. */
export type XmlEvent =
  | {
      readonly type: "open";
      readonly name: string;
      readonly attributes: ReadonlyMap<string, string>;
      /** Counted from 1. */
      readonly line: number;
    }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "close"; readonly name: string };

/**
 * Reads a document in UTF-8, holding no more of it than a block and what stands between two tags. Throws
 * DataFileError for what is not well-formed, for a DOCTYPE, for entities but the five of XML, for elements that are
 * nested more than 1,000 deep and for more than 64 MiB between two tags.
 */
export function* xmlEvents(file: ResultFile): Iterable<XmlEvent> {
  using window = new ByteWindow(file.bytes, MAX_GAP);
  const parser = new XmlParser(file.name);
  const decoder = new StringDecoder("utf8");
  do {
    // A block of small tags would make very many events at once, and every text that is cut out of it would hold it.
    for (let at = window.at; at < window.end; at += PIECE_BYTES) {
      yield* parser.write(decoder.write(window.bytes.subarray(at, Math.min(at + PIECE_BYTES, window.end))));
    }
    window.at = window.keep = window.end;
  } while (window.more());
  yield* parser.end();
}

const PIECE_BYTES = 64 * 1024;
const MAX_GAP = 64 * 1024 * 1024;

class XmlParser {
  readonly #file: string;
  readonly #parser = new SaxesParser({ xmlns: false });
  #events: XmlEvent[] = [];
  #depth = 0;
  /** Where the last tag ended, and the text since then, in characters. */
  #lastTag = 0;
  #isEnding = false;

  constructor(file: string) {
    this.#file = file;
    const parser = this.#parser;
    parser.on("opentag", ({ name, attributes }) => {
      if (++this.#depth > MAX_DEPTH) throw this.#fault("elements are nested more than 1,000 deep");
      this.#tag({ type: "open", name, attributes: new Map(Object.entries(attributes)), line: parser.line });
    });
    parser.on("closetag", ({ name }) => {
      this.#depth--;
      this.#tag({ type: "close", name });
    });
    const onText = (text: string) => {
      this.#events.push({ type: "text", text });
    };
    parser.on("text", onText);
    parser.on("cdata", onText);
    parser.on("doctype", () => {
      throw this.#fault("a DOCTYPE is not allowed, because it could define entities");
    });
    parser.on("error", ({ message }) => {
      throw this.#fault(this.#isEnding ? CUT : (FAULTS.find(([part]) => message.includes(part))?.[1] ?? NOT_XML));
    });
  }

  write(text: string): readonly XmlEvent[] {
    this.#parser.write(text);
    if (this.#parser.position - this.#lastTag > MAX_GAP) {
      throw this.#fault("more than 64 MiB between two tags", "Leave large texts out of the results.");
    }
    return this.#taken();
  }

  end(): readonly XmlEvent[] {
    this.#isEnding = true;
    this.#parser.close();
    return this.#taken();
  }

  #tag(event: XmlEvent): void {
    this.#lastTag = this.#parser.position;
    this.#events.push(event);
  }

  #taken(): readonly XmlEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #fault(fault: string, advice?: string): DataFileError {
    return new DataFileError({ file: this.#file, line: this.#parser.line }, fault, { advice });
  }
}

const CUT = "the file ends in the middle of its XML, as if it were cut off";
const NOT_XML = "this is not well-formed XML";

// By words of the messages of saxes, which hold names of the file.
const FAULTS: readonly (readonly [string, string])[] = [
  ["doctype", "a DOCTYPE is not allowed, because it could define entities"],
  ["undefined entity", "unknown entity; only the five of XML are allowed"],
  ["disallowed character.", "invalid character, or an unescaped & or <"],
  ["unexpected close tag", "unmatched closing tag"],
  ["unmatched closing tag", "unmatched closing tag"],
  ["duplicate attribute", "a tag has a duplicate attribute"],
  ["only one root", "unexpected content after the end of the XML"],
  ["outside of root", "unexpected text before or after the XML"],
];
