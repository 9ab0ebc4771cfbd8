import { deployStep } from "../../../front/steps/deploy/step.ts";
import { optionsOf } from "../hosted.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { describe, expect, test } from "vitest";
import { withRunner, environment, errorOf, faults, makeRunner, read, sentTo } from "./step.ts";

const [certificate = "", otherCertificate = ""] = rootCertificates;

describe("the address of the control plane", () => {
  test("keeps its path prefix", async () => {
    const { connection } = await read({ "control-plane-url": "https://control.example/api-host/" });
    expect(sentTo(connection.service)).toMatchObject({ url: "https://control.example/api-host/" });
  });

  test("may be local, which needs no key and no proxy", async () => {
    const { connection } = await read(
      { "control-plane-url": "local", "api-key": "" },
      { HTTPS_PROXY: "socks5://proxy.example" },
    );
    expect(connection).toMatchObject({ service: "local", proxy: {} });
  });

  test("falls back to the environment", async () => {
    const more = {
      GRAPH_DEPLOY_URL: "https://env.example",
      GRAPH_DEPLOY_API_KEY: "env-key",
      GRAPH_DEPLOY_TENANT_ID: "env-tenant",
    };
    const fallen = await read({ "control-plane-url": "", "api-key": "" }, more);
    expect(sentTo(fallen.connection.service)).toEqual({
      url: "https://env.example/",
      "x-api-key": "env-key",
      "x-tenant-id": "env-tenant",
    });
    const given = await read({ "tenant-id": "tenant" }, more);
    expect(sentTo(given.connection.service)).toEqual({
      url: "https://control.example/api",
      "x-api-key": "key-0123",
      "x-tenant-id": "tenant",
    });
  });

  test("is https, unless it is on this machine or http is allowed", async () => {
    expect((await read({ "control-plane-url": "http://127.0.0.1:8123" })).connection.allowHttp).toBe(false);
    expect((await read({ "control-plane-url": "http://c.example", "allow-http": "true" })).connection.allowHttp).toBe(
      true,
    );
    expect(await faults({ "control-plane-url": "http://c.example" })).toEqual([
      expect.stringMatching(/^control-plane-url: .*c\.example uses http.*use https, or set `allow-http`/),
    ]);
  });

  test.each(["ftp://control.example", "https://"])("is not %s", async (address) => {
    expect(await faults({ "control-plane-url": address })).toEqual([expect.stringMatching(/is not a valid URL/)]);
  });

  test("needs its scheme", async () => {
    expect(await faults({ "control-plane-url": "127.0.0.1:8731" })).toEqual([
      expect.stringMatching(/^control-plane-url: .* has no scheme/),
    ]);
  });

  test("holds no credentials, and a password in it is not repeated", async () => {
    const error = await errorOf({ "control-plane-url": "https://user:sesame-1@control.example" });
    expect(error.faults).toHaveLength(1);
    expect(JSON.stringify(error.faults)).not.toContain("sesame-1");
  });
});

describe("the credentials", () => {
  test("are needed for a service that is not on this machine", async () => {
    expect(await faults({ "api-key": "" })).toEqual([
      "api-key: is empty, which usually means the secret is not set; the service needs this key or a `bearer-token`",
    ]);
    expect((await read({ "api-key": "", "control-plane-url": "http://localhost:1" })).warnings).toEqual([]);
  });

  test("may be a bearer token, which the fallback key is not added to", async () => {
    const { connection, warnings } = await read(
      { "api-key": "", "bearer-token": "token-1" },
      { GRAPH_DEPLOY_API_KEY: "env-key" },
    );
    expect(sentTo(connection.service)).toMatchObject({ authorization: "Bearer token-1" });
    expect(sentTo(connection.service)).not.toHaveProperty("x-api-key");
    expect(warnings).toEqual([]);
  });

  test("may be both, with a warning", async () => {
    const { connection, warnings } = await read({ "bearer-token": "token-1" });
    expect(sentTo(connection.service)).toMatchObject({ "x-api-key": "key-0123", authorization: "Bearer token-1" });
    expect(warnings).toEqual([expect.stringContaining("both set")]);
  });

  test("may be a tenant id alone, with a warning", async () => {
    const { connection, warnings } = await read({ "api-key": "", "tenant-id": "tenant-1" });
    expect(sentTo(connection.service)).toMatchObject({ "x-tenant-id": "tenant-1" });
    expect(warnings).toEqual([
      "`api-key` is empty, which usually means the secret is not set: only `tenant-id` is sent.",
    ]);
  });

  test.each(["one two", "one\ntwo", "one\r\nx-evil: 1", "clé"])(
    "cannot be %j, and it is not repeated",
    async (value) => {
      const error = await errorOf({ "api-key": value, "bearer-token": value, "tenant-id": value });
      expect(error.faults.map(({ input }) => input)).toEqual(["api-key", "bearer-token", "tenant-id"]);
      for (const part of value.split(/\s+/)) expect(JSON.stringify(error.faults)).not.toContain(`"${part}`);
    },
  );
});

describe("an empty key", () => {
  const event = async (head: string | null) => {
    const { temp } = await makeRunner();
    const path = join(temp, "event.json");
    const repo = head === null ? null : { full_name: head };
    await writeFile(path, JSON.stringify({ pull_request: { head: { repo }, base: { repo: { full_name: "o/r" } } } }));
    return { GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: path };
  };
  const plain =
    "api-key: is empty, which usually means the secret is not set; the service needs this key or a `bearer-token`";

  test.each(["stranger/r", null])("is explained on a pull request from a fork (%s)", async (head) => {
    const more = await event(head);
    expect(await faults({ "api-key": "" }, more)).toEqual([
      expect.stringMatching(/comes from a fork, and GitHub gives such runs no secrets/),
    ]);
    const { warnings } = await read({ "api-key": "", "tenant-id": "t" }, more);
    expect(warnings).toEqual([expect.stringMatching(/comes from a fork/)]);
  });

  test("is explained in a run of Dependabot", async () => {
    const more = { ...(await event("o/r")), GITHUB_ACTOR: "dependabot[bot]" };
    expect(await faults({ "api-key": "" }, more)).toEqual([expect.stringMatching(/Dependabot secrets/)]);
  });

  test("is not explained by a fork where secrets are handed over, or where there is none", async () => {
    expect(await faults({ "api-key": "" }, await event("o/r"))).toEqual([plain]);
    const target = { ...(await event("stranger/r")), GITHUB_EVENT_NAME: "pull_request_target" };
    expect(await faults({ "api-key": "" }, target)).toEqual([plain]);
    const gone = { GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: "/no/such/event.json" };
    expect(await faults({ "api-key": "" }, gone)).toEqual([plain]);
  });
});

describe("field names", () => {
  test("are read as a table", async () => {
    const { connection } = await read({ "field-names": "graph_config_path=acmegraph_config_path" });
    expect(connection.fieldNames.toWire({ graph_config_path: "x" })).toEqual({ acmegraph_config_path: "x" });
  });

  test("that are no pairs are a fault", async () => {
    expect(await faults({ "field-names": "a=b,c" })).toEqual([
      expect.stringMatching(/^field-names: "c" is not a pair/),
    ]);
  });
});

describe("the proxy", () => {
  const proxyOf = async (more: Record<string, string>) => (await read({}, more)).connection.proxy;

  test("is that of the environment, where the name in lower case wins", async () => {
    expect(
      await proxyOf({
        HTTP_PROXY: "http://upper",
        http_proxy: "http://lower",
        HTTPS_PROXY: "http://s",
        no_proxy: "a,b",
      }),
    ).toEqual({ http: "http://lower", https: "http://s", except: "a,b" });
    expect(await proxyOf({ http_proxy: " ", HTTP_PROXY: "http://upper" })).toEqual({ http: "http://upper" });
  });

  test("may be written without its scheme", async () => {
    expect(await proxyOf({ HTTPS_PROXY: "proxy.example:3128" })).toEqual({ https: "http://proxy.example:3128" });
  });

  test.each([
    ["socks5://u:sesame-1@p", "is a SOCKS proxy"],
    ["http://u:sesame-1@p:port", "not a valid proxy URL"],
  ])("is not %s, which is not repeated", async (value, message) => {
    const error = await errorOf({}, { HTTPS_PROXY: value });
    expect(error.faults).toEqual([
      { input: "HTTPS_PROXY", message: expect.stringMatching(new RegExp(`^(?!.*sesame).*${message}`)) },
    ]);
  });
});

describe("the CA certificate", () => {
  test("is PEM text, of which certificates alone are taken", async () => {
    const text = `a comment\n${certificate}\n-----BEGIN X-----\nAA==\n-----END X-----\n${otherCertificate}`;
    const { connection } = await read({ "ca-certificate": text });
    expect(connection.caCertificate).toBe(`${certificate}\n${otherCertificate}\n`);
  });

  withRunner("is a file, relative to the workspace or absolute", async ({ workspace, temp }) => {
    await writeFile(join(workspace, "ca.pem"), certificate);
    const inputs = { "control-plane-url": "local", name: "agent" };
    for (const path of ["ca.pem", join(workspace, "ca.pem")]) {
      const env = environment(
        { ...inputs, "ca-certificate": path },
        { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp },
      );
      expect(await optionsOf(deployStep, env)).toMatchObject({ connection: { caCertificate: `${certificate}\n` } });
    }
  });

  test("that is no certificate is a fault", async () => {
    expect(await faults({ "ca-certificate": "no/such.pem" })).toEqual([
      'ca-certificate: "no/such.pem" is neither PEM text nor a readable file of at most 1 MiB',
    ]);
    expect(await faults({ "ca-certificate": "." })).toEqual([
      expect.stringMatching(/neither PEM text nor a readable file/),
    ]);
    const key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----";
    expect(await faults({ "ca-certificate": key })).toEqual(["ca-certificate: the text contains no PEM certificate"]);
    const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
    expect(await faults({ "ca-certificate": `${certificate}\n${broken}` })).toEqual([
      "ca-certificate: certificate 2 in the text is invalid",
    ]);
  });
});
