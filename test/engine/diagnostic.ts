import { stripVTControlCharacters } from "node:util";
import type { Diagnostic } from "./stack.ts";

/** A line for the user, without colours and without spaces at its end. */
export function diagnostic(
  severity: Diagnostic["severity"],
  message: string,
  of: { readonly urn?: string; readonly ephemeral?: boolean } = {},
): Diagnostic {
  return {
    severity,
    message: stripVTControlCharacters(message).trimEnd(),
    ephemeral: of.ephemeral ?? false,
    urn: of.urn ?? "",
  };
}
