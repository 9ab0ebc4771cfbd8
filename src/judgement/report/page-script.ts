import { readFileSync } from "node:fs";

/** The script of the page. The build puts the text of the file here, so that a bundle needs no file beside it. */
export const SCRIPT = readFileSync(new URL("./browser/cases.js", import.meta.url), "utf8");
