const FORM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for a UUID of any version, in either case: RFC 9562 §4. */
export function isUuid(text: string): boolean {
  return FORM.test(text);
}

/** True when two ids name the same thing: they have no case, RFC 9562 §4. Ids that are not there are the same, too. */
export function isSameId(id: string | null | undefined, other: string | null | undefined): boolean {
  return id?.toLowerCase() === other?.toLowerCase();
}

const UNDASHED = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;

/** A UUID in its one form, with dashes and in lower case; undefined for what is none, with dashes or without any. */
export function uuidOf(text: string): string | undefined {
  const dashed = text.replace(UNDASHED, "$1-$2-$3-$4-$5");
  return isUuid(dashed) ? dashed.toLowerCase() : undefined;
}
