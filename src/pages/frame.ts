import { createHash } from "node:crypto";
import { markup, Markup, type Content } from "./markup.ts";

/** Loads a page again every 2 seconds, but not while its reader is in a form, or has changed one and not sent it. */
export const RELOAD_SCRIPT = `let isChanged = false;
addEventListener("input", ({ target }) => { isChanged = target.value !== target.defaultValue; });
setInterval(() => { if (!isChanged && !document.activeElement?.closest("form")) location.reload(); }, 2000);`;

export interface FrameRequest {
  readonly title: string;
  readonly style: string;
  /** The page loads itself again until it is in progress no more; a policy has to allow the script of that. */
  readonly isInProgress?: boolean;
  /** Where what the reader came for begins: the id of an element, and the words of the link to it. */
  readonly skip: { readonly to: string; readonly text: string };
  readonly body: Content;
  /** The page then says itself what may run in it: this, and nothing else. */
  readonly script?: string | undefined;
}

/** A whole page, which loads nothing. */
export function frame({ title, style, isInProgress = false, skip, body, script = "" }: FrameRequest): string {
  const policy = script === "" ? "" : policyOf(style, script);
  // `<\/`: for a template with the end of a script in it the bundler of the library adds a package of its own.
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
${policy && markup`<meta http-equiv="Content-Security-Policy" content="${policy}">\n`}<meta name="viewport" content="width=device-width">
${isInProgress && markup`<noscript><meta http-equiv="refresh" content="2"></noscript>\n`}<title>${title}</title>
<style>${new Markup(style)}</style>
<body>
<a class="skip" href="#${skip.to}">${skip.text}</a>
${body}
${isInProgress && markup`<script>${new Markup(RELOAD_SCRIPT)}<\/script>\n`}${script && markup`<script>${new Markup(script)}<\/script>\n`}</html>
`.text;
}

/** By it a policy allows a script or a style. */
export function contentHash(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}

function policyOf(style: string, script: string): string {
  return [
    "default-src 'none'",
    `script-src ${contentHash(script)}`,
    `style-src ${contentHash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
