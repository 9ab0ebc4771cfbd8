import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { InputReader } from "./input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { RunnerFacts } from "./runner.ts";

/** Certificates as PEM text, or why there are none, to be read after the name of the input. */
type CertificateResult = { readonly ok: true; readonly pem: string } | { readonly ok: false; readonly fault: string };

// All authorities that browsers trust take a fifth of this.
const LARGEST_FILE_BYTES = 1024 * 1024;

/**
 * The certificates to trust besides the usual ones, as PEM text: from PEM text, or from a file whose path is relative
 * to the workspace. Other PEM blocks are dropped. Undefined when there are none, or after an error.
 */
export async function readCaCertificate(
  reader: InputReader<"ca-certificate">,
  { workspace }: RunnerFacts,
): Promise<string | undefined> {
  const text = reader.text("ca-certificate");
  if (text === "") return undefined;
  const result = await readCertificates(text, workspace ?? "");
  if (result.ok) return result.pem;
  reader.fault("ca-certificate", result.fault);
  return undefined;
}

async function readCertificates(input: string, base: string): Promise<CertificateResult> {
  if (input.includes("-----BEGIN")) return certificatesOf(input, "the text");
  const text = await readPemFile(resolve(base, input));
  if (text === undefined) {
    return { ok: false, fault: `${quoted(input)} is neither PEM text nor a readable file of at most 1 MiB` };
  }
  return certificatesOf(text, quoted(input));
}

async function readPemFile(path: string): Promise<string | undefined> {
  try {
    const facts = await stat(path);
    return facts.isFile() && facts.size <= LARGEST_FILE_BYTES ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function certificatesOf(text: string, where: string): CertificateResult {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return { ok: false, fault: `${where} contains no PEM certificate` };
  const broken = blocks.findIndex((block) => !isCertificate(block));
  if (broken >= 0) return { ok: false, fault: `certificate ${String(broken + 1)} in ${where} is invalid` };
  return { ok: true, pem: `${blocks.join("\n")}\n` };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
