import { describe, expect, test } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { runAction, type ActionResult } from "../runner/runner.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { forwardTo } from "../wire/forward.ts";
import { startProxy } from "../wire/proxy-server.ts";
import { withStep, API_KEY, step } from "./step.ts";

const UPLOAD_URL = /\/upload-url$/;
const DEPLOYMENT = /^\/v2\/deployments\/[^/]+$/;

/** Changes what the service answers. */
function edit(
  service: LocalService,
  path: RegExp | string,
  change: (json: object) => unknown,
  server?: "service",
): void {
  service.faults.add({
    match: { path, ...(server === undefined ? {} : { server }) },
    times: Infinity,
    do: { kind: "edit", edit: (json) => change(json as object) },
  });
}

const printed = ({ rawStdout, rawStderr, summary, outputs }: ActionResult) =>
  [
    // The masks are how the runner learns what to hide.
    rawStdout
      .split("\n")
      .filter((line) => !line.startsWith("::add-mask::"))
      .join("\n"),
    rawStderr,
    summary,
    ...outputs.values(),
  ].join("\n");

describe("what the service hands out for an upload", () => {
  const PATH = ["put", "path-token-7f3a9c", "one", "support.tar.gz"];
  const QUERY = { sig: "s1gn/short+", e: "60", ok: "true" };
  const HEADERS = {
    "x-upload-grant": 'grant "4711" of the store',
    "x-upload-short": "g9!",
    "content-type": "application/x-own-type",
  };
  const SECRETS = [PATH.slice(1).join("/"), "path-token-7f3a9c", QUERY.sig, HEADERS["x-upload-grant"], "g9!"];

  async function uploadRefused(reason: (request: { readonly target: string }) => string) {
    const { options, service } = await step();
    const store = await startFaultServer((request) => ({
      status: 400,
      headers: { "x-request-id": QUERY.sig },
      body: { detail: reason(request) },
    }));
    edit(service, UPLOAD_URL, (target) => ({
      ...target,
      upload_url: `${store.url}/${PATH.join("/")}?${new URLSearchParams(QUERY).toString()}`,
      upload_headers: HEADERS,
    }));
    const result = await runAction(options({}, { secrets: [API_KEY, ...SECRETS] }));
    expect(store.count({ method: "PUT" })).toBeGreaterThan(0);
    return result;
  }

  test.each<[string, (request: { readonly target: string }) => string]>([
    ["as it was sent", ({ target }) => `PUT ${target} is refused, with ${HEADERS["x-upload-grant"]} and g9!`],
    ["decoded", ({ target }) => `${decodeURIComponent(target.replaceAll("+", " "))}; sig ${QUERY.sig}`],
    ["as JSON within JSON", ({ target }) => JSON.stringify({ target, headers: HEADERS, ...QUERY })],
    ["a piece at a time", () => `sig=${QUERY.sig} e=60 ok=true type ${HEADERS["content-type"]} / one / support.tar.gz`],
  ])("is not printed when the store repeats it %s", async (_how, reason) => {
    const result = await uploadRefused(reason);
    expect(result).toMatchObject({ exitCode: 1, leaked: [] });
    for (const secret of SECRETS) expect(printed(result)).not.toContain(secret);
    expect(printed(result)).toContain("PUT http://127.0.0.1:");
    expect(printed(result)).not.toMatch(/\bok=true|\be=60|\/put\//);
  });

  test("is masked for the runner before the upload, without masking ordinary words", async () => {
    const result = await uploadRefused(() => "no");
    const masks = result.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
    expect(masks).toEqual(expect.arrayContaining(["path-token-7f3a9c", QUERY.sig, HEADERS["x-upload-grant"]]));
    for (const word of ["60", "true", "put", "one", "support.tar.gz", "application/x-own-type"]) {
      expect(masks).not.toContain(word);
    }
    expect(result.outputs.get("deployment-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  withStep("is not printed when a build log repeats it", async ({ options, service }) => {
    const handed: string[] = [];
    edit(service, UPLOAD_URL, (target) => {
      if ("upload_url" in target) handed.push(String(target.upload_url));
      return target;
    });
    edit(service, /logs$/, () => ({
      logs: handed
        .flatMap((url) => [`fetching ${url}`, `as ${encodeURIComponent(url)}`])
        .map((message) => ({ message })),
    }));
    service.faults.nextRevision({ end: "BUILD_FAILED", log: ["no"] });
    const result = await runAction(options());
    expect(result.exitCode).toBe(1);
    const { pathname, search } = new URL(handed[0] ?? "");
    expect(printed(result)).toContain("fetching ***");
    for (const secret of [pathname, search.slice(1)]) expect(printed(result)).not.toContain(secret);
  });
});

describe("an agent's address", () => {
  withStep("with a user name and a password is printed without them, everywhere", async ({ options, service }) => {
    edit(service, DEPLOYMENT, (deployment) => {
      if (!("url" in deployment) || typeof deployment.url !== "string") return deployment;
      return { ...deployment, url: deployment.url.replace("://", "://agent-user:pa55-word@") };
    });
    const secrets = [API_KEY, "agent-user", "pa55-word"];
    const result = await runAction(options({}, { secrets, env: { RUNNER_DEBUG: "1" } }));
    expect(result).toMatchObject({ exitCode: 0, leaked: [] });
    expect(result.outputs.get("url")).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(result.summary).toContain(result.outputs.get("url"));
  });

  // The other addresses of this machine are in test/http/this-machine.unit.test.ts.
  test.each(["127.0.0.1", "[::1]", "169.254.169.254", "localhost"])(
    "at %s gets no key from a control plane that is elsewhere",
    async (host) => {
      const { options, service } = await step();
      const proxy = await startProxy();
      const agent = await startFaultServer(forwardTo(() => service.url));
      const address = `http://${host}:${new URL(agent.url).port}`;
      edit(service, DEPLOYMENT, (deployment) => ({ ...deployment, url: address }));
      const url = service.url.replace("127.0.0.1", "plane.test");
      edit(service, UPLOAD_URL, (target) => ({
        ...target,
        ...("upload_url" in target ? { upload_url: String(target.upload_url).replace(url, service.url) } : {}),
      }));
      const inputs = { "control-plane-url": url, "allow-http": "true" };
      const result = await runAction(options(inputs, { env: { HTTP_PROXY: proxy.url } }));
      expect(agent.connections).toBe(0);
      expect(proxy.requests.filter(({ target }) => !target.startsWith(url))).toEqual([]);
      expect(result.exitCode).toBe(1);
      expect(result.outputs.get("status")).toBe("DEPLOYED");
      expect(result.log.join("\n")).toContain("the key is not sent there");
    },
  );
});
