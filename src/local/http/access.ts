import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "./error.ts";

/** Who may call. With neither, the service is open. */
export interface AccessRules {
  readonly apiKey?: string | undefined;
  /** In lower case. */
  readonly tenantId?: string | undefined;
}

/** What is called; each area of the contract has a rule of its own. */
export type Area = "agent" | "control-plane" | "page" | "tracing";

const NO_KEY = "Send a valid API key in the header X-Api-Key, or as a bearer token";

/**
 * 401 for a wrong key (`X-Api-Key` or bearer), 403 for another tenant; then what the area needs: one of them for the
 * control plane, both for experiments and runs, the key for agents and pages. A browser cannot set these headers, so
 * pages also accept the key as the password of a basic login.
 */
export function checkAccess(headers: IncomingHttpHeaders, rules: AccessRules, area: Area): void {
  const { apiKey } = rules;
  const tenantId = area === "agent" || area === "page" ? undefined : rules.tenantId;
  const key = apiKey === undefined ? "absent" : sentKey(headers, apiKey, area);
  const tenant = tenantId === undefined ? "absent" : sentTenant(headers, tenantId);
  const isEnough = area === "control-plane" && (key === "right" || tenant === "right");
  if (key === "wrong" || (apiKey !== undefined && key === "absent" && !isEnough)) {
    const other =
      tenantId !== undefined && area === "control-plane" ? "; the tenant ID in X-Tenant-Id suffices, too" : "";
    throw new HttpError(401, `${NO_KEY}${other}.`, {
      "www-authenticate": area === "page" ? 'Basic realm="graph-deploy local"' : "Bearer",
    });
  }
  if (tenant === "wrong") throw new HttpError(403, "The tenant in X-Tenant-Id may not use this service.");
  if (tenantId !== undefined && tenant === "absent" && !isEnough) {
    throw new HttpError(403, "This request requires workspace specification: send X-Tenant-Id.");
  }
}

/** 403 for a host or an origin that is not loopback: such a request comes from a foreign web page (DNS rebinding). */
export function checkCaller(headers: IncomingHttpHeaders): void {
  const origin = headers.origin;
  if (!isLoopback(`http://${headers.host ?? ""}`) || (origin !== undefined && !isLoopback(origin))) {
    throw new HttpError(403, "This service only accepts requests to a loopback address.");
  }
}

type Sent = "absent" | "right" | "wrong";

// One of several is enough: a proxy may add a bearer token of its own.
function sentKey(headers: IncomingHttpHeaders, apiKey: string, area: Area): Sent {
  const { authorization = "" } = headers;
  const keys = [headers["x-api-key"], /^bearer\b *(.*)$/is.exec(authorization)?.[1]];
  const basic = area === "page" ? /^basic +(.+)$/i.exec(authorization)?.[1] : undefined;
  if (basic !== undefined) keys.push(/:(.*)$/s.exec(Buffer.from(basic, "base64").toString())?.[1]);
  const sent = keys.filter((key) => key !== undefined);
  if (sent.some((key) => typeof key === "string" && equal(key, apiKey))) return "right";
  return sent.length === 0 ? "absent" : "wrong";
}

function sentTenant(headers: IncomingHttpHeaders, tenantId: string): Sent {
  const tenant = headers["x-tenant-id"];
  if (tenant === undefined) return "absent";
  return typeof tenant === "string" && equal(tenant.toLowerCase(), tenantId) ? "right" : "wrong";
}

// timingSafeEqual needs equal lengths.
function equal(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}
