import { hash } from "node:crypto";

/** Which records are those of one deployment of the service in one environment of the repository. */
export interface RecordPlace {
  readonly environment: string;
  /** See `taskOf`. */
  readonly task: string;
  /** See `serviceOf`. */
  readonly service: string;
}

/** What a record says of its service: hashes, because everybody who reads the repository can read the record. */
export interface ServiceMarks {
  /** Of the address and the tenant: it distinguishes services that may have a deployment of the same name. */
  readonly service: string;
  readonly address: string;
  readonly tenant: string;
}

const TASK = "deploy:";

/** The task of the records of a deployment: environments are shared, and the task distinguishes the deployments. */
export function taskOf(name: string): string {
  return `${TASK}${name}`;
}

/** The name of the deployment whose task this is; undefined for a task that graph-deploy did not set. */
export function nameIn(task: string): string | undefined {
  return task.startsWith(TASK) ? task.slice(TASK.length) : undefined;
}

export function marksOf(url: URL, tenantId: string | undefined): ServiceMarks {
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  const tenant = tenantId ?? null;
  return { service: hashed([address, tenant]), address: hashed([address]), tenant: hashed([tenant]) };
}

/** What of the service differs from that of a record, by its marks; earlier versions wrote only the first. */
export function differenceTo(
  record: { readonly [Mark in keyof ServiceMarks]: string | undefined },
  url: URL,
  tenantId: string | undefined,
): "address" | "both" | "one of both" | "tenant" | undefined {
  const here = marksOf(url, tenantId);
  if (record.service === undefined || record.service === here.service) return undefined;
  if (record.address === undefined || record.tenant === undefined) {
    return record.service === marksOf(url, undefined).service ? "tenant" : "one of both";
  }
  if (record.address === here.address) return "tenant";
  return record.tenant === here.tenant ? "address" : "both";
}

function hashed(parts: readonly (string | null)[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, 16);
}
