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
  const decoder = new StringDecoder("utf8");
  const parser = new SaxesParser({ xmlns: false });
  let events: XmlEvent[] = [];
  let depth = 0;
  /** Where the last tag ended, in characters. */
  let lastTag = 0;
  let isEnding = false;
  const refuse = (fault: string, advice?: string) => {
    return new DataFileError({ file: file.name, line: parser.line }, fault, { advice });
  };
  const addTag = (event: XmlEvent) => {
    lastTag = parser.position;
    events.push(event);
  };
  const addText = (text: string) => {
    events.push({ type: "text", text });
  };
  parser.on("opentag", ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) throw refuse("elements are nested more than 1,000 deep");
    addTag({ type: "open", name, attributes: new Map(Object.entries(attributes)), line: parser.line });
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    addTag({ type: "close", name });
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("doctype", () => {
    throw refuse("a DOCTYPE is not allowed, because it could define entities");
  });
  parser.on("error", ({ message }) => {
    throw refuse(isEnding ? CUT : (FAULTS.find(([part]) => message.includes(part))?.[1] ?? NOT_XML));
  });
  do {
    // A block of small tags would make very many events at once, and every text that is cut out of it would hold it.
    for (let at = window.at; at < window.end; at += PIECE_BYTES) {
      parser.write(decoder.write(window.bytes.subarray(at, Math.min(at + PIECE_BYTES, window.end))));
      if (parser.position - lastTag > MAX_GAP) {
        throw refuse("more than 64 MiB between two tags", "Leave large texts out of the results.");
      }
      yield* events;
      events = [];
    }
    window.at = window.keep = window.end;
  } while (window.more());
  isEnding = true;
  parser.close();
  yield* events;
}

const PIECE_BYTES = 64 * 1024;
const MAX_GAP = 64 * 1024 * 1024;

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
