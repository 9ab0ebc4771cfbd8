import { LIKELY_UNSET } from "../../src/contract/secret.ts";
import type { Host, Run } from "../host.ts";
import { connectionAt, headerValue, needsCredentials, readAddress, type Connection } from "./endpoint.ts";
import { givenText, type Given, type InputReader } from "./input-reader.ts";
import { passwordsIn } from "./secrets.ts";

/** Where the trace of the step is sent to. */
export interface TraceOptions extends Connection {
  readonly session: string;
  /** What the trace says of the run that the step is part of. */
  readonly run: Run;
}

/** The inputs of a trace, and those of the step that hold for it too. */
type TraceInputName = "allow-http" | "trace-api-key" | "trace-session" | "trace-url";

const VARIABLE = "GRAPH_DEPLOY_BASE_URL";

/**
 * The trace that the inputs ask for, of a step that works with a service whose address `input` has; undefined when they ask
 * for none, or after an error, which the reader has reported.
 */
export async function readTrace(
  reader: InputReader<TraceInputName>,
  host: Host,
  { connection, input }: { readonly connection: Connection | undefined; readonly input: string },
): Promise<TraceOptions | undefined> {
  const session = reader.line("trace-session");
  if (session === undefined) {
    for (const unused of ["trace-url", "trace-api-key"] as const) {
      if (reader.text(unused) !== "") reader.warn(`\`${unused}\` has no effect without \`trace-session\`.`);
    }
    return undefined;
  }
  const allowHttp = reader.boolean("allow-http");
  const given = readAddress(reader, { input: "trace-url", variable: VARIABLE, isNeeded: false }, allowHttp);
  const isRehearsal = connection?.service === "local";
  const url = given ?? (isRehearsal ? "local" : undefined);
  if (url === undefined && reader.textOrVariable("trace-url", VARIABLE) === "") {
    reader.fault("trace-url", "is missing; `trace-session` needs the address of the tracing service");
  }
  if (url === "local" && connection && !isRehearsal) {
    reader.fault("trace-url", `is local, but \`${input}\` is not: this step has no local service`);
  }
  // Never the key of that service: the trace may go to another host.
  const apiKey = headerValue(reader, "trace-api-key", reader.text("trace-api-key"));
  if (url !== undefined && apiKey === undefined && needsCredentials(url)) {
    reader.fault("trace-api-key", `is empty, ${LIKELY_UNSET}; the service at \`trace-url\` needs one`);
  }
  const { tenantId, caCertificate } = connection ?? {};
  const parts = { credentials: { apiKey, tenantId }, allowHttp, caCertificate };
  const own = connectionAt(reader, host.env, url, parts);
  return own && connection && { ...own, session, run: await host.run() };
}

/** What of these inputs must not be printed, besides the texts of secret options. */
export function secretsOfTrace(given: Given): readonly string[] {
  return [givenText(given, "trace-url"), given.env[VARIABLE] ?? ""].flatMap(passwordsIn);
}
