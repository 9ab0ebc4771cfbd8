/** True for an object of fields and nothing more, which no class made. Throws where a proxy refuses to be looked at. */
export function isBareObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
