import * as z from "zod";
import { connect, type Connection, type ConnectOptions } from "../../../src/connection.ts";
import { connectionOf, fill, type ConnectionInputs, type Surroundings } from "./connection.ts";
import { InputShapes } from "../inputs/fields.ts";
import { meaningful, type Properties } from "../state/state.ts";
import { FieldNames, FieldNamesError } from "../../../src/contract/field-names.ts";
import type { InputFault } from "../inputs/failures.ts";
import { findUnknown, type IsUnknown } from "../state/unknown-values.ts";
import { withoutFullStop } from "../../../src/text/reasons.ts";

/** How long an operation asks a service that does not respond: a look before it and the operation take a minute at most. */
export const SILENCE_MILLISECONDS = 45_000;
/** How long such a look does, whose result only tells more. */
export const LOOK_SILENCE_MILLISECONDS = 10_000;

/** How requests travel, apart from what a program says. */
export type TravelOptions = Omit<
  ConnectOptions,
  "allowHttp" | "apiKey" | "bearerToken" | "caCertificate" | "fieldNames" | "tenantId" | "url"
>;

/** What a program says of the service. */
export interface ServiceInputs extends ConnectionInputs {
  /** Names that the service spells differently, from our name to theirs. */
  readonly fieldNames?: Readonly<Record<string, string>> | undefined;
}

const ServiceShapes = InputShapes.pick({
  controlPlaneUrl: true,
  tenantId: true,
  credential: true,
  fieldNames: true,
});

const FieldNamesText = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("is not JSON");
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.string()));

/** What the properties that the engine hands over say of the service; nothing when they cannot be read. */
export function serviceInputsOf(properties: Properties): ServiceInputs {
  return ServiceShapes.safeParse(meaningful(properties)).data ?? {};
}

/**
 * Connects to the service that a deployment is in; to be disposed of. Throws ConnectionSettingsError with all that is
 * missing.
 */
export function openService(inputs: ServiceInputs, surroundings: Surroundings, options: TravelOptions): Connection {
  const { controlPlaneUrl: url, ...settings } = connectionOf(inputs, surroundings);
  const fieldNames = fieldNamesOf(inputs.fieldNames ?? fieldNamesOfStack(surroundings));
  return connect({ ...options, ...settings, url, fieldNames });
}

/** The rename table of a program: our names and theirs. Throws FieldNamesError with every fault. */
function fieldNamesOf(names: Readonly<Record<string, string>> | undefined): FieldNames {
  const pairs = Object.entries(names ?? {}).map(([ours, theirs]) => `${ours}=${theirs}`);
  return FieldNames.parse(pairs.join("\n"));
}

/** The table of the whole stack, a JSON object. */
function fieldNamesOfStack({ config }: Surroundings): ServiceInputs["fieldNames"] {
  const text = fill(config("graph-deploy:fieldNames"));
  if (text === undefined) return undefined;
  const parsed = FieldNamesText.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new FieldNamesError("graph-deploy:fieldNames must be a JSON object of our names and theirs.", {});
}

/** What keeps the table from being used. */
export function checkFieldNames(
  names: Readonly<Record<string, string>> | undefined,
  isUnknown: IsUnknown,
): readonly InputFault[] {
  if (findUnknown(names, isUnknown) !== undefined) return [];
  try {
    fieldNamesOf(names);
    return [];
  } catch (error) {
    if (!(error instanceof FieldNamesError)) throw error;
    return [{ path: ["fieldNames"], message: `cannot be used: ${withoutFullStop(error.message)}` }];
  }
}
