// Of names that are not known, each that is there has a value.
type SetFields<Fields> = string extends keyof Fields
  ? Readonly<Record<string, Exclude<Fields[keyof Fields], undefined>>>
  : { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value: one that is undefined is left out, as an option that is not given. */
export function setFields<Fields extends object>(fields: Fields): SetFields<Fields>;
export function setFields(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
