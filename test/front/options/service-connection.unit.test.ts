import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withRunner, sentTo } from "./step.ts";
import { faults, read, type Inputs } from "../steps/upload-experiment/step.ts";

describe("the service of an upload", () => {
  test("is found by its address, with its path", async () => {
    const { connection } = await read({ "base-url": "https://evals.example/api/v1", "tenant-id": "team-7" });
    expect(sentTo(connection?.service)).toMatchObject({ url: "https://evals.example/api/v1", "x-tenant-id": "team-7" });
  });

  test("falls back to the environment, as do the credentials", async () => {
    const env = {
      GRAPH_DEPLOY_BASE_URL: "https://env.example",
      GRAPH_DEPLOY_API_KEY: "key-of-env",
      GRAPH_DEPLOY_TENANT_ID: "tenant-of-env",
      GRAPH_DEPLOY_URL: "https://control.example",
    };
    const empty = { "base-url": "", "api-key": "" };
    const ofStep = async (inputs: Inputs) => sentTo((await read(inputs, { env })).connection?.service);
    const fallen = { url: "https://env.example/", "x-api-key": "key-of-env", "x-tenant-id": "tenant-of-env" };
    expect(await ofStep(empty)).toEqual(fallen);
    const given = { url: "https://evals.example/", "x-api-key": "key-0123456789", "x-tenant-id": "own" };
    expect(await ofStep({ "tenant-id": "own" })).toEqual(given);
  });

  test.each(["local", "http://127.0.0.1:8123", "http://localhost:1/api/v1"])("needs no key at %s", async (address) => {
    const { connection } = await read({ "base-url": address, "api-key": "" });
    expect(String(connection?.service)).toContain(address);
    expect(String(connection?.service)).not.toContain("apiKey");
  });

  test("needs no proxy when it is the embedded one", async () => {
    const env = { HTTPS_PROXY: "socks5://proxy.example" };
    expect((await read({ "base-url": "local" }, { env })).connection?.proxy).toEqual({});
    expect(await faults({}, { env })).toEqual([expect.stringMatching(/^HTTPS_PROXY: is a SOCKS proxy/)]);
  });

  test("needs a key elsewhere; a tenant id alone says not who asks", async () => {
    expect(await faults({ "api-key": "", "tenant-id": "team-7" })).toEqual([
      "api-key: is empty, which usually means the secret is not set; the service needs one",
    ]);
    expect(await faults({ "base-url": "", "api-key": "" })).toEqual([
      "base-url: is missing; set the address of the service, or `local` for a rehearsal",
      "api-key: is empty, which usually means the secret is not set; the service needs one",
    ]);
  });
});

describe("a dry run", () => {
  test("needs neither an address nor a key", async () => {
    const dry = await read({ "dry-run": "true", "base-url": "", "api-key": "" });
    expect(dry).toMatchObject({ task: "dry-run", connection: undefined });
  });

  test("keeps an address that is given, without a key", async () => {
    const { connection } = await read({ "dry-run": "true", "api-key": "" });
    expect(sentTo(connection?.service)).toEqual({ url: "https://evals.example/" });
  });

  test("still refuses an address that is none", async () => {
    expect(await faults({ "dry-run": "true", "base-url": "evals" })).toEqual([
      expect.stringMatching(/is not a valid URL/),
    ]);
  });
});

describe("an empty key on a pull request from a fork", () => {
  withRunner("is explained, with this step's own way to rehearse", async ({ temp }) => {
    const path = join(temp, "event.json");
    const repo = (name: string) => ({ repo: { full_name: name } });
    await writeFile(path, JSON.stringify({ pull_request: { head: repo("stranger/r"), base: repo("o/r") } }));
    const env = { GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: path };
    expect(await faults({ "api-key": "" }, { env })).toEqual([
      "api-key: is empty, which usually means the secret is not set; the service needs one. This pull request comes from a fork, and GitHub gives such runs no secrets: skip the step there, or rehearse with base-url: local",
    ]);
  });
});
