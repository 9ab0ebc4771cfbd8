import { createHash } from "node:crypto";

/** How long the name of a preview may be. A service that puts names into host names has room for a DNS label. */
export const PREVIEW_NAME_LIMITS = { least: 20, usual: 63, most: 63 } as const;

// With more digits a name would not have room for one letter of its stem.
const MOST_DIGITS = 10;
const HASH_DIGITS = 4;
const MARK = "-pr-";

/** The names of the previews of one deployment. */
export interface PreviewNames {
  /** The name that all of them begin with. */
  readonly stem: string;
  /** The most characters of a name. */
  readonly limit: number;
}

/** True for a name that previews can begin with: a DNS label of any length. */
export function isPreviewStem(text: string): boolean {
  return /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(text);
}

/**
 * `STEM-pr-NUMBER`. Of a stem that is too long, as much as there is room for, and four hex digits of its hash: two long
 * stems with the same beginning have different names.
 */
export function previewName({ stem, limit }: PreviewNames, number: number): string {
  const end = `${MARK}${String(number)}`;
  if (stem.length + end.length <= limit) return stem + end;
  return `${headOf(stem, limit - end.length)}-${hashOf(stem)}${end}`;
}

/** The number of a preview by its name; undefined for a name that `previewName` does not make of this stem and limit. */
export function previewNumber(names: PreviewNames, name: string): number | undefined {
  const [, digits] = /-pr-([1-9]\d{0,9})$/.exec(name) ?? [];
  const number = Number(digits);
  return digits !== undefined && previewName(names, number) === name ? number : undefined;
}

/** What all names of these previews begin with, to search a list for. */
export function previewBeginning({ stem, limit }: PreviewNames): string {
  const room = limit - MARK.length - MOST_DIGITS;
  return stem.length <= room ? stem + MARK : headOf(stem, room);
}

// A hyphen comes next, and two of them in a row are not accepted everywhere.
function headOf(stem: string, room: number): string {
  return stem.slice(0, room - HASH_DIGITS - 1).replace(/-+$/, "");
}

function hashOf(stem: string): string {
  return createHash("sha256").update(stem).digest("hex").slice(0, HASH_DIGITS);
}
