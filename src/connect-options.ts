import * as z from "zod";
import { abortSignal, flag, functionOf, objectWith, type ShapesOf, someText } from "./contract/argument-shapes.ts";
import type { FieldNames } from "./contract/field-names.ts";
import { clockShape } from "./http/call-shapes.ts";
import type { Credentials } from "./http/endpoint.ts";
import type { HttpClientOptions } from "./http/http-client.ts";
import { certificatesIn } from "./http/certificates.ts";
import { proxyFault } from "./http/proxy-settings.ts";
import type { Redactor } from "./http/redactor.ts";

/** The service, its credentials, and how requests are sent. */
export interface ConnectOptions extends Credentials, HttpClientOptions {
  /** Where the control plane is, with its path prefix if it has one. */
  readonly url: string | undefined;
  /** How this service spells field names, where it differs from ours. */
  readonly fieldNames?: FieldNames | undefined;
}

/** The service that accepts experiments, its credentials, and how requests are sent. */
export interface ConnectUploadsOptions extends Credentials, HttpClientOptions {
  /** Where the service is, with or without `/api/v1`. */
  readonly url: string | undefined;
}

const proxyUrl = z
  .string("must be a text")
  .superRefine((url, context) => {
    const fault = url === "" ? "" : proxyFault(url);
    if (fault !== "") context.addIssue({ code: "custom", message: fault });
  })
  .exactOptional();
const proxy = z.strictObject(
  { http: proxyUrl, https: proxyUrl, except: z.string("must be a text").exactOptional() },
  "must be an object with http, https or except",
);
const certificate = someText.superRefine((text, context) => {
  const read = certificatesIn(text, "it");
  if (!read.ok) context.addIssue({ code: "custom", message: `is not one: ${read.fault}` });
});

/** The shapes of the connection to a service that accepts experiments or runs, without its address. */
export const SERVICE_SHAPES = {
  apiKey: someText.optional(),
  bearerToken: someText.optional(),
  tenantId: someText.optional(),
  allowHttp: flag.optional(),
  caCertificate: certificate.optional(),
  proxy: proxy.optional(),
  lookup: functionOf<NonNullable<HttpClientOptions["lookup"]>>().optional(),
  clock: clockShape.optional(),
  random: functionOf<() => number>().optional(),
  redactor: objectWith<Redactor>(["add", "text"], "a Redactor").optional(),
  onRetry: functionOf<NonNullable<HttpClientOptions["onRetry"]>>().optional(),
  signal: abortSignal.optional(),
  userAgent: someText.optional(),
} satisfies ShapesOf<Omit<ConnectUploadsOptions, "url">>;
