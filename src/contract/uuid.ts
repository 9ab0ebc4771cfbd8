const FORM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for a UUID of any version, in either case: RFC 9562 §4. */
export function isUuid(text: string): boolean {
  return FORM.test(text);
}

/** True when two ids name the same thing: they have no case, RFC 9562 §4. Ids that are not there are the same, too. */
export function isSameId(id: string | null | undefined, other: string | null | undefined): boolean {
  return id?.toLowerCase() === other?.toLowerCase();
}
