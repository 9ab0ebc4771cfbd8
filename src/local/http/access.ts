import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "./error.ts";

/** Who may call. With neither, the service is open. */
export interface AccessRules {
  readonly apiKey?: string | undefined;
  readonly tenantId?: string | undefined;
}

/**
 * 401 without the key (`X-Api-Key` or bearer), 403 for another tenant. A browser cannot set these headers,
 * so pages also accept the key as the password of a basic login.
 */
export function checkAccess(headers: IncomingHttpHeaders, rules: AccessRules, options: { page: boolean }): void {
  checkKey(headers, rules.apiKey, options.page);
  checkTenant(headers, rules.tenantId, options.page);
}

/** 403 for a host or an origin that is not loopback: such a request comes from a foreign web page (DNS rebinding). */
export function checkCaller(headers: IncomingHttpHeaders): void {
  const origin = headers.origin;
  if (!isLoopback(`http://${headers.host ?? ""}`) || (origin !== undefined && !isLoopback(origin))) {
    throw new HttpError(403, "This service only accepts requests to a loopback address.");
  }
}

function checkKey(headers: IncomingHttpHeaders, apiKey: string | undefined, page: boolean): void {
  if (apiKey === undefined) return;
  const { authorization = "" } = headers;
  const given = [single(headers["x-api-key"]), /^bearer +(.+)$/i.exec(authorization)?.[1]];
  const basic = page ? /^basic +(.+)$/i.exec(authorization)?.[1] : undefined;
  if (basic !== undefined) given.push(/:(.*)$/s.exec(Buffer.from(basic, "base64").toString())?.[1]);
  if (given.some((key) => key !== undefined && equal(key, apiKey))) return;
  throw new HttpError(401, "Send a valid API key in the header X-Api-Key, or as a bearer token.", {
    "www-authenticate": page ? 'Basic realm="graph-deploy local"' : "Bearer",
  });
}

function checkTenant(headers: IncomingHttpHeaders, tenantId: string | undefined, page: boolean): void {
  if (tenantId === undefined || page) return;
  const given = single(headers["x-tenant-id"]);
  if (given === undefined) throw new HttpError(403, "This request requires workspace specification: send X-Tenant-Id.");
  if (!equal(given, tenantId)) throw new HttpError(403, "The tenant in X-Tenant-Id may not use this service.");
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

// timingSafeEqual needs equal lengths.
function equal(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}
