import { connect, type Connection, type ConnectOptions } from "../../../src/connection.ts";
import { connectionOf, type ConnectionInputs, type Surroundings } from "./connection.ts";
import { fieldNamesOf } from "./field-names.ts";
import { InputShapes } from "../inputs/fields.ts";
import { meaningful, type Properties } from "../state/state.ts";

/** How requests travel, apart from what a program says. */
export type TravelOptions = Omit<ConnectOptions, "apiKey" | "bearerToken" | "fieldNames" | "tenantId" | "url">;

/** What a program says of the service. */
export interface ServiceInputs extends ConnectionInputs {
  readonly fieldNames?: Readonly<Record<string, string>> | undefined;
}

const ServiceShapes = InputShapes.pick({
  controlPlaneUrl: true,
  tenantId: true,
  credential: true,
  fieldNames: true,
});

/** What the properties that the engine hands over say of the service; nothing when they cannot be read. */
export function serviceInputsOf(properties: Properties): ServiceInputs {
  return ServiceShapes.safeParse(meaningful(properties)).data ?? {};
}

/**
 * Connects to the service that a deployment is in; to be disposed of. Throws ConnectionSettingsError with all that is
 * missing.
 */
export function openService(inputs: ServiceInputs, surroundings: Surroundings, options: TravelOptions): Connection {
  const { controlPlaneUrl: url, apiKey, tenantId } = connectionOf(inputs, surroundings);
  return connect({ ...options, url, apiKey, tenantId, fieldNames: fieldNamesOf(inputs.fieldNames) });
}
