import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "../test/browser/chromium-install.ts";
import { projectRoot } from "./command.ts";
import { openCamera } from "./pictures/camera.ts";
import { githubPage } from "./pictures/github-page.ts";
import { PICTURES, textsOfRuns } from "./pictures/runs.ts";
import { digestOf } from "./pictures/steady.ts";

/**
 * Makes the pictures of the README from real runs, and the digests of what they show, by which a test knows which of
 * them is stale. On Linux the fonts of GitHub's style are in fonts-noto-core, fonts-noto-mono and fonts-noto-color-emoji.
 */
const FOLDER = join(projectRoot, "docs/pictures");
/** GitHub shows a summary and a comment about as wide as a README; a narrower report has another layout. */
const FRAMES = {
  deploy: { width: 900, endsAbove: "footer" },
  // The rules of a judgement are in the picture of the report.
  comment: { width: 900, endsAbove: "table + table" },
  report: { width: 1160, endsAbove: "#charts" },
} as const;

const chromium = await findChromium();
if ("missing" in chromium) throw new Error(`A picture needs Chromium: ${chromium.missing}`);
const texts = await textsOfRuns();
const pages = await mkdtemp(join(tmpdir(), "graph-deploy-pages-"));
await mkdir(FOLDER, { recursive: true });
{
  await using camera = await openCamera(chromium.program);
  for (const picture of PICTURES) {
    const page = join(pages, `${picture}.html`);
    await writeFile(page, picture === "report" ? texts.report : await githubPage(texts[picture]));
    for (const scheme of ["light", "dark"] as const) {
      const bytes = await camera.take(pathToFileURL(page).href, { ...FRAMES[picture], scheme });
      await writeFile(join(FOLDER, `${picture}-${scheme}.webp`), bytes);
      console.log(`docs/pictures/${picture}-${scheme}.webp: ${(bytes.length / 1000).toFixed(1)} kB`);
    }
  }
}
await rm(pages, { recursive: true });
const digests = Object.fromEntries(PICTURES.map((picture) => [picture, digestOf(texts[picture])]));
await writeFile(join(FOLDER, "digests.json"), `${JSON.stringify(digests, undefined, 2)}\n`);
