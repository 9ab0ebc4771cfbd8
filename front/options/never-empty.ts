/**
 * The inputs of a step that may not be empty, each with what its default is: a `word` such as `none` stands for no value,
 * and a `value` is one as any other.
 *
 * An output that does not exist is an empty text, and so is an input that a caller of a workflow did not set. Where a step
 * without the input does something else (deploys to production instead of a preview, deploys instead of rolling back,
 * writes instead of showing, judges without a rule), an empty text must not be taken for an input that is not there: the
 * runner gives that one its default.
 */
export type NeverEmpty<Name extends string> = Readonly<Partial<Record<Name, "value" | "word">>>;

/** The inputs of a step as its action.yml declares them. */
export interface DeclaredInputs<Name extends string> {
  readonly defaults: Readonly<Record<Name, string>>;
  readonly neverEmpty: Readonly<Record<string, "value" | "word">>;
  /** Old names of inputs, each with the one that it has now: both are declared, and the old one goes on working. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** What is wrong with an empty input, and how a workflow hands on a value that may be missing. */
export function emptyFault(name: string, fallback: string): string {
  const form = `\${{ inputs.${name} || '${fallback}' }}`;
  return `is empty: the output or input that it hands on was probably empty; write \`${form}\` to hand on an optional one`;
}
