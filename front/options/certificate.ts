import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { certificatesIn } from "../../src/http/certificates.ts";
import type { InputReader } from "./input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { Place } from "../host.ts";

// All authorities that browsers trust take a fifth of this.
const LARGEST_FILE_BYTES = 1024 * 1024;

/**
 * The certificates to trust besides the usual ones, as PEM text: from PEM text, or from a file whose path is relative
 * to the workspace. Other PEM blocks are dropped. Undefined when there are none, or after an error.
 */
export async function readCaCertificate(
  reader: InputReader<"ca-certificate">,
  { workspace }: Place,
): Promise<string | undefined> {
  const text = reader.text("ca-certificate");
  if (text === "") return undefined;
  const isPem = text.includes("-----BEGIN");
  const pem = isPem ? text : await readPemFile(resolve(workspace ?? "", text));
  const result =
    pem === undefined
      ? ({ ok: false, fault: `${quoted(text)} is neither PEM text nor a readable file of at most 1 MiB` } as const)
      : certificatesIn(pem, isPem ? "the text" : quoted(text));
  if (result.ok) return result.pem;
  reader.fault("ca-certificate", result.fault);
  return undefined;
}

async function readPemFile(path: string): Promise<string | undefined> {
  try {
    const facts = await stat(path);
    return facts.isFile() && facts.size <= LARGEST_FILE_BYTES ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
