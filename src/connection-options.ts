import * as z from "zod";
import { SERVICE_SHAPES, type ConnectOptions } from "./connection.ts";
import { ArgumentsError, functionOf, readArgument, somePath, someText } from "./contract/call-arguments.ts";
import type { ArgumentReading, ShapesOf } from "./contract/call-arguments.ts";
import { fieldNamesShape } from "./contract/field-names.ts";
import { surroundings, warnIfUnchecked, type Surroundings } from "./environment.ts";
import { isLoopback, parseAddress } from "./http/base-url.ts";
import { systemClock } from "./http/clock.ts";
import { Endpoint } from "./http/endpoint.ts";
import { AddressError } from "./http/errors.ts";
import { proxyFromEnvironment } from "./http/proxy-settings.ts";
import type { RetryNotice } from "./http/retry.ts";
import { withoutFullStop } from "./text/reasons.ts";

/** How a call works; each setting has a default. */
export interface CallSettings<Event> {
  /** An existing directory for spooled data; the system's directory for temporary files when not given. */
  readonly spoolDirectory?: string | undefined;
  /** Receives what happens, in order. */
  readonly emit?: ((event: Event) => void) | undefined;
}

/** The service and its credentials, each from the environment when not given, and how requests are sent. */
export interface DeployOptions<Event> extends Partial<ConnectOptions>, CallSettings<Event> {}

/** The same of a service that accepts experiments and runs. It has no names that are spelt in other ways: `fieldNames` is without effect. */
export type UploadOptions<Event> = DeployOptions<Event>;

export const CallOptionsShape = z.strictObject({
  url: someText.optional(),
  ...SERVICE_SHAPES,
  fieldNames: fieldNamesShape.optional(),
  spoolDirectory: somePath.optional(),
  emit: functionOf<(event: unknown) => void>().optional(),
} satisfies ShapesOf<DeployOptions<unknown>>);

type Given = z.infer<typeof CallOptionsShape>;

export const KEY_VARIABLE = "GRAPH_DEPLOY_API_KEY";
const TENANT = "GRAPH_DEPLOY_TENANT_ID";

/** What a program writes plainly, and how it becomes a request; what is wrong with it is added to `faults`. */
export interface Plain<Value, Request> {
  readonly shape: z.ZodType<Value>;
  readonly read: (
    reading: ArgumentReading<Value>,
    workingDirectory: string,
    faults: string[],
  ) => Promise<Request | undefined> | Request;
  /** What is wrong besides, which is only looked for where the call cannot take place. */
  readonly moreFaults?: (given: Value | undefined) => readonly string[];
}

/** Reads both arguments of a call, the second with the defaults of the environment. Throws ArgumentsError with all that is wrong. */
export async function readCall<Value, Request>(
  called: string,
  [given, options]: readonly [unknown, unknown],
  { shape, read, moreFaults }: Plain<Value, Request>,
  addressVariable: string,
) {
  const around = surroundings();
  const first = readArgument(shape, given, "the first argument");
  const second = readArgument(CallOptionsShape, options, "the second argument");
  const faults = [...first.faults, ...second.faults];
  const request = await read(first, around.workingDirectory, faults);
  const { connection, deps } = readOptions(second, addressVariable, around, faults);
  if (faults.length > 0 || request === undefined) {
    throw new ArgumentsError(called, [...faults, ...(moreFaults?.(first.value) ?? [])]);
  }
  warnIfUnchecked(around, deps.emit);
  return { request, endpoint: new Endpoint(connection.url, connection, connection), connection, deps, around };
}

/** The given options, else those of the environment. Missing and invalid ones are added to `faults`. */
function readOptions(
  { value: given = {}, wrong }: ArgumentReading<Given>,
  addressVariable: string,
  surroundings: Surroundings,
  faults: string[],
) {
  const { variable } = surroundings;
  const { bearerToken, spoolDirectory = surroundings.spoolDirectory, emit = () => undefined, ...rest } = given;
  const { clock = systemClock, signal = new AbortController().signal } = rest;
  const url = given.url ?? variable(addressVariable) ?? "";
  const apiKey = given.apiKey ?? (bearerToken === undefined ? variable(KEY_VARIABLE) : undefined);
  const isRight = !wrong.has("url");
  if (isRight && url === "")
    faults.push(`\`url\` is missing; give the address of the service, or set ${addressVariable}`);
  let address: URL | undefined;
  try {
    if (isRight && url !== "") address = parseAddress(url, { allowHttp: given.allowHttp ?? false });
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    faults.push(`\`url\`: ${withoutFullStop(error.message)}`);
  }
  // Any one of the three proves who asks. A tenant of the environment alone is most likely beside a key that is not set.
  const isNamed =
    [apiKey, bearerToken, given.tenantId].some((credential) => credential !== undefined) ||
    ["apiKey", "bearerToken", "tenantId"].some((name) => wrong.has(name));
  if (!isNamed && !(address && isLoopback(address))) {
    faults.push(`\`apiKey\` is missing; give it, or set ${KEY_VARIABLE}`);
  }
  const proxy = given.proxy ?? proxyFromEnvironment(variable, (name, fault) => faults.push(`${name} ${fault}`));
  const tenantId = given.tenantId ?? variable(TENANT);
  const onRetry =
    rest.onRetry ??
    ((notice: RetryNotice) => {
      emit({ type: "retry", notice });
    });
  return {
    connection: { ...rest, onRetry, bearerToken, url, apiKey, tenantId, proxy, clock, signal },
    deps: { clock, signal, spoolDirectory, emit },
  };
}
