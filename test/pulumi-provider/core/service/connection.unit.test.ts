import { describe, expect, test } from "vitest";
import { connectionOf, findConnection } from "../../../../pulumi-provider/core/service/connection.ts";
import { surroundings } from "../../context.ts";

const env = {
  GRAPH_DEPLOY_URL: "https://env.example",
  GRAPH_DEPLOY_API_KEY: "env-key",
  GRAPH_DEPLOY_TENANT_ID: "env-tenant",
  OTHER_KEY: "other-key",
};
const config = {
  "graph-deploy:controlPlaneUrl": "https://config.example/",
  "graph-deploy:apiKey": "config-key",
  "graph-deploy:tenantId": "config-tenant",
  "graph-deploy:otherKey": "other-config-key",
  "team:key": "team-key",
};

describe("a connection", () => {
  test("comes from the resource, then the stack, then the environment", () => {
    const given = { controlPlaneUrl: "https://own.example/api/", tenantId: "own" };
    expect(connectionOf(given, surroundings({ config, env }))).toEqual({
      controlPlaneUrl: "https://own.example/api",
      tenantId: "own",
      apiKey: "config-key",
      bearerToken: undefined,
      allowHttp: false,
      caCertificate: undefined,
    });
    expect(connectionOf({}, surroundings({ config, env }))).toMatchObject({
      controlPlaneUrl: "https://config.example",
      tenantId: "config-tenant",
    });
    expect(connectionOf({}, surroundings({ config: {}, env }))).toEqual({
      controlPlaneUrl: "https://env.example",
      tenantId: "env-tenant",
      apiKey: "env-key",
      bearerToken: undefined,
      allowHttp: false,
      caCertificate: undefined,
    });
  });

  test.each([
    [{ env: "OTHER_KEY" }, "other-key"],
    [{ config: "otherKey" }, "other-config-key"],
    [{ config: "team:key" }, "team-key"],
  ])("takes the key from where the resource points: %j", (credential, apiKey) => {
    expect(connectionOf({ credential }, surroundings({ config, env })).apiKey).toBe(apiKey);
  });

  test("never takes another key when the one that is pointed to is missing", () => {
    const found = findConnection({ credential: { env: "NOT_SET" } }, surroundings({ config, env }));
    expect(found).toMatchObject({
      apiKey: undefined,
      faults: [{ path: ["credential", "env"], message: "names the variable NOT_SET, which is not set" }],
    });
  });

  test("needs no key on this machine, nor where a workspace is named", () => {
    const nothing = surroundings({ config: {}, env: {} });
    expect(connectionOf({ controlPlaneUrl: "http://127.0.0.1:8080" }, nothing).apiKey).toBeUndefined();
    expect(connectionOf({ controlPlaneUrl: "https://a.example", tenantId: "t" }, nothing).apiKey).toBeUndefined();
  });

  test("that cannot be made says all that is missing, and what a refresh needs", () => {
    const message =
      /^The settings of the connection [^:]*: controlPlaneUrl is missing: .*; credential is not set, .*\.$/;
    const code = "CONNECTION_SETTINGS";
    const advice = expect.stringContaining("--run-program");
    expect(() => connectionOf({}, surroundings({ config: {}, env: {} }))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), code, advice }),
    );
  });

  test("with a key that no header can hold is refused, without the key", () => {
    const broken = surroundings({ config: { ...config, "graph-deploy:apiKey": "secret\nkey" } });
    const { faults } = findConnection({}, broken);
    expect(faults).toHaveLength(1);
    expect(JSON.stringify(faults)).not.toMatch(/secret|key"/);
  });
});
