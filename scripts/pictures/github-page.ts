import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { marked } from "marked";

/** A page that shows markdown as GitHub does, light or dark as the browser asks for. */
export async function githubPage(markdown: string): Promise<string> {
  const file = fileURLToPath(import.meta.resolve("github-markdown-css/github-markdown.css"));
  const html = await marked.parse(markdown, { gfm: true, async: true });
  return `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>As GitHub shows it</title>
<style>${await readFile(file, "utf8")}
body { margin: 0; background: light-dark(#fff, #0d1117); color-scheme: light dark; }
.markdown-body { margin: 1px; padding: 16px 20px; border: 1px solid var(--borderColor-default); border-radius: 6px; font-size: 14px; }
</style>
<article class="markdown-body">${html}</article><footer></footer></html>
`;
}
