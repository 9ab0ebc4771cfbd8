import { subscribe } from "node:diagnostics_channel";
import { isObject } from "./core/state/unknown-values.ts";

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/**
 * Calls back when the engine asks its providers to end what goes on, as it does at the first Ctrl-C. Pulumi's host of
 * dynamic providers answers that call and tells nobody; without it a run would wait for the longest revision, or be
 * ended by force, with deployments that no state knows of. Node tells of each call that its server gets, from 24 on;
 * where it does not, the engine waits.
 */
export function onEngineCancel(listener: () => void): void {
  subscribe("http2.server.stream.created", (message) => {
    if (!isObject(message)) return;
    const { headers } = message;
    if (isObject(headers) && headers[":path"] === CANCEL) listener();
  });
}
