import { createHash } from "node:crypto";
import { markup, Markup, type Content } from "./markup.ts";

export interface FrameRequest {
  readonly title: string;
  readonly style: string;
  /** Seconds after which the page loads itself again. */
  readonly refresh?: number | undefined;
  /** Where what the reader came for begins: the id of an element, and the words of the link to it. */
  readonly skip: { readonly to: string; readonly text: string };
  readonly body: Content;
  /** The page then says itself what may run in it: this, and nothing else. */
  readonly script?: string;
}

/** A whole page, which loads nothing. */
export function frame({ title, style, refresh = 0, skip, body, script = "" }: FrameRequest): string {
  const policy = script === "" ? "" : policyOf(style, script);
  // `<\/`: for a template with the end of a script in it the bundler of the library adds a package of its own.
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
${policy && markup`<meta http-equiv="Content-Security-Policy" content="${policy}">\n`}<meta name="viewport" content="width=device-width">
${refresh > 0 && markup`<meta http-equiv="refresh" content="${refresh}">\n`}<title>${title}</title>
<style>${new Markup(style)}</style>
<body>
<a class="skip" href="#${skip.to}">${skip.text}</a>
${body}
${script && markup`<script>${new Markup(script)}<\/script>\n`}</html>
`.text;
}

function policyOf(style: string, script: string): string {
  const hashOf = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
