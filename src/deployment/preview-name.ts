import { createHash } from "node:crypto";

/** How long the name of a preview may be. A service that puts names into host names has room for a DNS label. */
export const PREVIEW_NAME_LIMITS = { least: 20, usual: 63, most: 63 } as const;

/** The largest number of a pull request whose preview has room for one letter of its stem in the shortest name. */
export const LARGEST_PULL_REQUEST = 99_999_999;

// As many digits as a plain name had room for.
const MOST_DIGITS = 10;
const OWNER_DIGITS = 6;
const PLAIN_HASH_DIGITS = 4;
const MARK = "-pr-";

/** The names of the previews of one deployment. */
export interface PreviewNames {
  /** The name that all of them begin with. */
  readonly stem: string;
  /** The most characters of a name. */
  readonly limit: number;
  /** The id of the repository to which they belong; undefined for plain names, which do not say whose they are. */
  readonly repository: string | undefined;
}

/** True for a name that previews can begin with: a DNS label of any length. */
export function isPreviewStem(text: string): boolean {
  return /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(text);
}

/** The names of the same previews that do not say whose they are, as earlier versions made them. */
export function plainNames(names: PreviewNames): PreviewNames {
  return { ...names, repository: undefined };
}

/**
 * `STEM-pr-NUMBER-OWNER`, of a stem that is too long as much as there is room for. The owner is six hex digits of a hash of
 * the repository and the whole stem: no other repository, and no deployment that a person made, has the name by accident.
 * Plain names are `STEM-pr-NUMBER`; there a stem that was cut is followed by four hex digits of its hash.
 */
export function previewName({ stem, limit, repository }: PreviewNames, number: number): string {
  const plainEnd = `${MARK}${String(number)}`;
  const end =
    repository === undefined ? plainEnd : `${plainEnd}-${hexOf(JSON.stringify([repository, stem]), OWNER_DIGITS)}`;
  if (stem.length + end.length <= limit) return stem + end;
  const room = limit - end.length;
  if (repository !== undefined) return headOf(stem, room) + end;
  return `${headOf(stem, room - PLAIN_HASH_DIGITS - 1)}-${hexOf(stem, PLAIN_HASH_DIGITS)}${end}`;
}

/** The number of a preview by its name; undefined for a name that `previewName` does not make of these. */
export function previewNumber(names: PreviewNames, name: string): number | undefined {
  const [, digits] = /-pr-([1-9]\d{0,9})(?:-[0-9a-f]{6})?$/.exec(name) ?? [];
  const number = Number(digits);
  if (digits === undefined || (names.repository !== undefined && number > LARGEST_PULL_REQUEST)) return undefined;
  return previewName(names, number) === name ? number : undefined;
}

/** What all names of these previews begin with, plain or not, to search a list for. */
export function previewBeginning({ stem, limit }: PreviewNames): string {
  // The longest ends of both forms leave the same room for a stem that is cut.
  const room = limit - MARK.length - MOST_DIGITS - PLAIN_HASH_DIGITS - 1;
  return stem.length <= room ? stem + MARK : headOf(stem, room);
}

// A hyphen comes next, and two of them in a row are not accepted everywhere.
function headOf(stem: string, room: number): string {
  return stem.slice(0, room).replace(/-+$/, "");
}

function hexOf(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
