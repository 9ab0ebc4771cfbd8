import { afterEach, expect, test } from "vitest";
import type { Connection } from "../../src/connection.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Connections } from "../../pulumi-provider/connections.ts";
import { surroundings } from "./context.ts";

const opened = new Set<Connection>();
afterEach(async () => {
  for (const connection of opened) await connection[Symbol.asyncDispose]();
  opened.clear();
});

function open(connections: Connections, ...inputs: readonly Parameters<Connections["of"]>[0][]) {
  const found = inputs.map((input) => connections.of(input, surroundings({ env: { OTHER: "key-of-another" } })));
  for (const connection of found) opened.add(connection);
  return new Set(found).size;
}

test("deployments of one service and key share a connection", () => {
  const connections = new Connections({ clock: systemClock });
  expect(open(connections, {}, {}, { controlPlaneUrl: "https://control.example/api/" })).toBe(1);
});

test("another service, workspace, key or spelling has a connection of its own", () => {
  const connections = new Connections({ clock: systemClock });
  const others = [
    { controlPlaneUrl: "https://elsewhere.example" },
    { tenantId: "t" },
    { credential: { env: "OTHER" } },
    { fieldNames: { name: "title" } },
  ];
  expect(open(connections, {}, ...others)).toBe(5);
});

test("an environment in which no certificate is checked is warned of once", () => {
  const warnings: string[] = [];
  const connections = new Connections({ clock: systemClock }, (message) => warnings.push(message));
  for (const controlPlaneUrl of ["https://control.example", "https://elsewhere.example"]) {
    opened.add(connections.of({ controlPlaneUrl }, surroundings({ env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } })));
  }
  expect(warnings).toEqual([expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is 0/)]);
});

test("a proxy that is no address is named, and its value is not", () => {
  const connections = new Connections({ clock: systemClock });
  const env = { HTTPS_PROXY: "user:secret of the proxy" };
  const call = () => connections.of({}, surroundings({ env }));
  expect(call).toThrow(/^The environment variable HTTPS_PROXY is not a valid proxy URL/);
  expect(call).not.toThrow(/secret of the proxy/);
});
