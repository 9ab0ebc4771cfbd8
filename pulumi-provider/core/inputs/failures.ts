import type * as z from "zod";
import { toValidationErrors } from "../../../src/contract/validation-error.ts";
import { INPUT_NAMES } from "./fields.ts";
import type { Properties } from "../state/state.ts";
import { valueAt } from "../state/unknown-values.ts";

/** One thing that is wrong with the inputs, as the engine takes it. */
export interface CheckFailure {
  /** An input of the top level, or empty. */
  readonly property: string;
  /** One sentence that names the input itself. */
  readonly reason: string;
}

/** A fault with the input that it is about: `secrets.OPENAI_API_KEY`. */
export interface InputFault {
  readonly path: readonly PropertyKey[];
  /** What is wrong, to be read after the path, without a full stop. */
  readonly message: string;
}

export function faultsIn(error: z.ZodError): readonly InputFault[] {
  return toValidationErrors(error).map(({ loc, msg }) => ({ path: loc, message: msg }));
}

/**
 * The faults as the engine takes them, each once and in the order of the inputs; `clean` takes secrets out of them. The
 * engine prints `inputs[property]` as it is (pulumi/pulumi issue 19465), and any text may have been computed from a
 * secret, which a provider cannot see: only an input that holds a number or a boolean is named as the property.
 */
export function toFailures(
  inputs: Properties,
  faults: readonly InputFault[],
  clean: (text: string) => string = (text) => text,
): readonly CheckFailure[] {
  const failures = faults
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ path, message }) => {
      const value = valueAt(inputs, path);
      // An unknown name may be a secret itself.
      const isInput = path.length === 1 && INPUT_NAMES.includes(String(path[0]));
      const isPrintable = isInput && (typeof value === "number" || typeof value === "boolean");
      const sentence = `${path.map(String).join(".")}${path.length === 0 ? "" : " "}${message}.`;
      return { property: isPrintable ? String(path[0]) : "", reason: clean(sentence) };
    });
  return failures.filter(({ reason }, index) => failures.findIndex((other) => other.reason === reason) === index);
}

function placeOf({ path }: InputFault): number {
  const place = INPUT_NAMES.indexOf(String(path[0]));
  return place < 0 ? INPUT_NAMES.length : place;
}
