import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JOB_TOKEN, runAction, startAction, type ActionResult } from "../runner/runner.ts";
import { expectHarmlessMarkdown } from "../front/account/harmless.ts";
import { makeAuthority } from "../wire/certificates.ts";
import { startProxy } from "../wire/proxy-server.ts";
import { startSecureFront } from "../workflow/secure-front.ts";
import { API_KEY } from "./step.ts";
import { withUploadStep, expectGreen, redSentence, rowOf, uploadStep } from "./upload-step.ts";

const ONE_LINE =
  "::error::x ##[group]y ::add-mask::capitals | <b> @team `c` [a](http://x.y) ~~s~~ %0A::warning::z #12 --> é文";
const LINES = `a\n::stop-commands::t\r\n  ::set-env name=A::b\n##[add-mask]question\u2028\u0085::error::z \u001b[31mred\u001b[0m \u202Ebidi`;
const FILE =
  process.platform === "win32" ? "a @me [x](y).jsonl" : "a|<b>@me ::error::x ##[add-mask]y\u001b[31m\n::error::q.jsonl";

/** Expects that the runner found the commands of the step and no others, and a summary that keeps its form. */
function expectHarmless(result: ActionResult): void {
  const names = new Set(result.commands.map(({ name }) => name));
  expect([...names].filter((name) => !["add-mask", "error", "warning", "group", "endgroup"].includes(name))).toEqual(
    [],
  );
  const masks = result.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
  expect(new Set(masks)).toEqual(new Set([API_KEY, JOB_TOKEN]));
  for (const line of result.log) {
    expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
    expect(line.length).toBeLessThan(5_000);
  }
  expect(result.rawStdout).not.toMatch(/(?![\n\r])[\p{Cc}\u2028\u2029\u202e]/u);
  expectHarmlessMarkdown(result.summary);
}

describe("texts of others give the runner no command and break no table", () => {
  test("in rows, scores, files, the branch and the workflow of a good upload", async () => {
    const { options, write, stored, rows } = await uploadStep();
    const hostile = {
      inputs: { [ONE_LINE]: LINES, long: "x".repeat(100_000) },
      actual_outputs: { output: LINES },
      error: LINES + "y".repeat(100_000),
      evaluation_scores: [{ key: ONE_LINE, score: 1, comment: LINES }],
    };
    await write({ [FILE]: `${JSON.stringify(rowOf(5, hostile))}\n` });
    const env = {
      GITHUB_WORKFLOW: LINES,
      GITHUB_REF: `refs/heads/${ONE_LINE}`,
      GITHUB_ACTOR: ONE_LINE,
      GITHUB_JOB: ONE_LINE,
    };
    const result = await runAction(options({ "experiment-name": "", "dataset-name": ONE_LINE }, { env }));
    expectGreen(result);
    expectHarmless(result);
    expect(result.annotations).toEqual([]);
    expect(result.outputs.get("dataset-name")).toBe(ONE_LINE);
    expect(JSON.parse(result.outputs.get("scores") ?? "")).toEqual({
      [ONE_LINE]: { n: 1, mean: 1 },
      exact: { n: 3, mean: expect.closeTo(2 / 3, 12) as number },
    });
    expect(result.outputs.get("experiment-name")).not.toMatch(/[\n\r]/);
    const [experiment] = await stored();
    expect(experiment?.extra?.metadata).toMatchObject({ ref: ONE_LINE, actor: ONE_LINE });
    const [sent] = (await rows(experiment?.id ?? "")).filter(({ row_id }) => row_id.endsWith("05"));
    expect(sent).toEqual(rowOf(5, hostile));
  });

  withUploadStep("in the faults of files and inputs", async ({ options, write }) => {
    const bad = {
      start_time: LINES,
      [LINES]: 1,
      evaluation_scores: [{ key: ONE_LINE, score: LINES }],
    };
    await write({ [FILE]: `${JSON.stringify(rowOf(5, bad))}\n` });
    const faulty = await runAction(options());
    expect(redSentence(faulty)).toMatch(/^The results have 2 errors, and nothing was sent: .*; .*\.$/);
    expectHarmless(faulty);
    const inputs = { "experiment-name": LINES, "time-policy": LINES, format: ONE_LINE, metadata: `? ${LINES}` };
    const refused = await runAction(options(inputs));
    expect(redSentence(refused)).toMatch(/^4 inputs are invalid: /);
    expectHarmless(refused);
  });

  withUploadStep("in what the service answers", async ({ options, service }) => {
    const detail = [{ loc: ["body", "results", 1, LINES], msg: `${ONE_LINE}${LINES}`, type: "x" }];
    const match = { method: "POST" };
    service.faults.add({ match, do: { kind: "answer", status: 422, body: { detail } } });
    service.faults.add({ match, do: { kind: "answer", status: 403, body: { detail: `${LINES}${ONE_LINE}` } } });
    for (const start of ["The service rejected", 'The experiment "nightly" was not uploaded']) {
      const result = await runAction(options());
      expect(redSentence(result).startsWith(start)).toBe(true);
      expectHarmless(result);
    }
    const edit = (json: unknown) =>
      JSON.parse(JSON.stringify(json).replaceAll('"capitals"', JSON.stringify(`${LINES} ${API_KEY}`))) as unknown;
    service.faults.add({ match, do: { kind: "edit", edit } });
    const renamed = await runAction(options());
    expectGreen(renamed);
    expectHarmless(renamed);
    expect(renamed.outputs.get("dataset-name")).toMatch(/ \*\*\*$/);
  });
});

describe("secrets", () => {
  test.each(["metadata", "summary-scores", "experiment-name", "dataset-description"])(
    "the key within %s is refused, since it would be stored",
    async (input) => {
      const { options, posts } = await uploadStep();
      const result = await runAction(options({ [input]: `note-${API_KEY}: 1` }));
      expect(redSentence(result)).toBe(
        `The input ${input} contains this step's API key, which would be stored where others can read it; remove it.`,
      );
      expect(posts()).toBe(0);
    },
  );

  test("of the step are in no request of a dry run, and in no spool of an upload", async () => {
    const { options, service, temp, posts } = await uploadStep();
    service.faults.add({ match: { method: "POST" }, do: { kind: "stall" } });
    const running = await startAction(options());
    await expect.poll(posts).toBe(1);
    const spooled = await Promise.all((await filesIn(temp)).map((path) => readFile(path, "latin1")));
    expect(spooled.length).toBeGreaterThan(1);
    expect(spooled.join("\n")).not.toContain(API_KEY);
    running.signal("SIGTERM");
    await running.result;
    const dry = await runAction(options({ "dry-run": "true" }));
    expect(await readFile(dry.outputs.get("request-path") ?? "", "utf8")).not.toContain(API_KEY);
  });

  test("of the way stay out of sight, through TLS of an own authority and a proxy with a password", async () => {
    const { options, service, write } = await uploadStep();
    const authority = makeAuthority();
    const port = await startSecureFront(authority.issue(["service.test", "127.0.0.1"]), "/base", () => service.url);
    const [proxy, refusing] = [await startProxy(), await startProxy(() => ({ status: 407 }))];
    const password = "proxy-password-98765";
    const through = (url: string) => ({
      env: { GITHUB_RUN_ID: "3", HTTPS_PROXY: url.replace("://", `://user:${password}@`), NO_PROXY: "" },
      secrets: [API_KEY, password, `user:${password}`],
    });
    await write({ "ca.pem": authority.cert });
    const url = `https://service.test:${String(port)}/base`;
    const trusted = { "base-url": url, "ca-certificate": "ca.pem" };
    const direct = await runAction(options({ ...trusted, "base-url": `https://127.0.0.1:${String(port)}/base` }));
    expectGreen(direct);
    const proxied = await runAction(options(trusted, through(proxy.url)));
    expectGreen(proxied);
    expect(proxied.outputs.get("experiment-name")).toBe("nightly-2");
    expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toContain(
      `CONNECT service.test:${String(port)}`,
    );
    expect(proxy.tunnelled().includes(API_KEY)).toBe(false);

    const failed = `The experiment "nightly" was not uploaded: POST ${url}/api/v1/datasets/upload-experiment failed:`;
    expect(redSentence(await runAction(options({ "base-url": url }, through(proxy.url))))).toMatch(
      `${failed} the certificate of the server is not trusted: `,
    );
    expect(redSentence(await runAction(options(trusted, through(refusing.url))))).toBe(
      `${failed} the proxy asks for a user name and a password (PROXY_407).`,
    );
  });
});

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
