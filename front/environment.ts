export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of an environment variable without blanks at its ends; undefined when it is not set, or empty. */
export function givenVariable(env: Environment, name: string): string | undefined {
  const value = ownVariable(env, name)?.trim();
  return value === "" ? undefined : value;
}

/** The value of an environment variable as it is: `constructor` of the object is not a variable. */
export function ownVariable(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
