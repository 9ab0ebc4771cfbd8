import process from "node:process";
import { FACTS } from "./release/facts.ts";

// `npm run release:check` says of each thing that a release depends on how it is, and what to do where it is not right.
// `-- v1.2.3` checks the release of that tag; in a workflow for a tag it is that one.
const { GITHUB_REF_TYPE, GITHUB_REF_NAME = "", GITHUB_REPOSITORY: repository = "" } = process.env;
const [tag = GITHUB_REF_TYPE === "tag" ? GITHUB_REF_NAME : ""] = process.argv.slice(2);

for (const { name, look, isForRelease } of FACTS) {
  const { found, todo } = await look({ tag, repository });
  const isLater = isForRelease && tag === "";
  const mark = todo === "" ? "ok" : isLater ? "later" : "WRONG";
  if (mark === "WRONG") process.exitCode = 1;
  process.stdout.write(`${mark.padEnd(6)} ${name.padEnd(10)} ${found}${todo === "" ? "" : `. Do: ${todo}`}\n`);
}
const what = tag === "" ? "No tag is given, so what only a release needs may wait" : `A release of ${tag}`;
process.stdout.write(`${what}: ${process.exitCode === 1 ? "something is wrong" : "all is well"}.\n`);
