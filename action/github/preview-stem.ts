import { isPreviewStem, PREVIEW_NAME_LIMITS, type PreviewNames } from "../../src/deployment/preview-name.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { InputReader } from "../../front/options/input-reader.ts";

const { least, most } = PREVIEW_NAME_LIMITS;

/** What the inputs say of the names of previews. */
export type PreviewStem = Pick<PreviewNames, "limit" | "stem">;

/** The beginning of the previews' names; undefined after an error, which the reader has. */
export function readPreviewStem(reader: InputReader<"name" | "preview-name-limit">): PreviewStem | undefined {
  const stem = reader.line("name");
  const limit = reader.count("preview-name-limit");
  const isLimit = limit !== undefined && limit >= least && limit <= most;
  if (limit !== undefined && !isLimit) {
    reader.fault("preview-name-limit", `${String(limit)} must be between ${String(least)} and ${String(most)}`);
  }
  if (stem === undefined) reader.fault("name", "is missing; set the name that the previews begin with");
  else if (!isPreviewStem(stem)) {
    reader.fault("name", `${quoted(stem)} cannot begin a preview's name: a to z, 0 to 9 and hyphens, a letter first`);
  } else if (isLimit) return { stem, limit };
  return undefined;
}
