import { X509Certificate } from "node:crypto";

/** Certificates as PEM text, or why there are none, to be read after the name of the setting. */
export type Certificates = { readonly ok: true; readonly pem: string } | { readonly ok: false; readonly fault: string };

/** The certificates of a PEM text, which `where` names in an error; other PEM blocks are dropped. */
export function certificatesIn(text: string, where: string): Certificates {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return { ok: false, fault: `${where} contains no PEM certificate` };
  for (const [index, block] of blocks.entries()) {
    try {
      void new X509Certificate(block);
    } catch {
      return { ok: false, fault: `certificate ${String(index + 1)} in ${where} is invalid` };
    }
  }
  return { ok: true, pem: `${blocks.join("\n")}\n` };
}
