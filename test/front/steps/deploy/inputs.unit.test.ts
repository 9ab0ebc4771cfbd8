import { secretsOf } from "../../../../front/steps/run-step.ts";
import { deployStep } from "../../../../action/deploy/step.ts";
import { hostOf, optionsOf } from "../../hosted.ts";
import { describe, expect, test } from "vitest";
import { DEPLOY_ACTION_INPUTS } from "../../../../action/deploy/options.ts";
import { GraphDeployError } from "../../../../src/contract/graph-deploy-error.ts";
import {
  withRunner,
  environment,
  errorOf,
  faults,
  inputsRead,
  inputVariable,
  makeRunner,
  read,
  readStep,
  sentTo,
} from "../../options/step.ts";

describe("the inputs of a deploy", () => {
  withRunner("are read with their defaults", async ({ workspace, temp }) => {
    const env = environment(
      { "control-plane-url": "https://control.example", "api-key": "key-0123", name: "agent" },
      { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp },
    );
    const step = await optionsOf(deployStep, env);
    if (step.task === "skip") expect.fail("the step is skipped");
    const { connection, ...inputs } = step;
    expect(connection).toMatchObject({ allowHttp: false, proxy: {} });
    expect(sentTo(connection.service)).toEqual({ url: "https://control.example/", "x-api-key": "key-0123" });
    expect(inputs).toEqual({
      request: {
        target: { name: "agent" },
        source: {
          source: "internal_source",
          directory: workspace,
          workspace,
          graphConfig: "graph.json",
          include: [],
          exclude: [],
          maxBytes: 209_715_200,
        },
        sourceConfig: {},
        secrets: undefined,
        create: "auto",
        wait: true,
        timeoutMilliseconds: 1_800_000,
        pollCapMilliseconds: 10_000,
        onSuperseded: "fail",
        smokeTest: true,
      },
      task: "deploy",
      jobSummary: true,
      warnings: [],
      notices: [],
    });
  });

  test("have the digest that is expected", async () => {
    const digest = `sha256:${"a".repeat(64)}`;
    expect((await read({ "expected-digest": digest })).request).toMatchObject({ expectedDigest: digest });
    expect((await read()).request).not.toHaveProperty("expectedDigest");
    expect(await faults({ "expected-digest": digest, "image-uri": "agent:1", timeout: "soon" })).toEqual([
      expect.stringMatching(/^expected-digest: needs an image by its digest/),
      expect.stringMatching(/^timeout: /),
    ]);
  });

  withRunner("that are not handed over at all have the same defaults", async ({ workspace, temp }) => {
    const base = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp };
    const named = { "INPUT_CONTROL-PLANE-URL": "local", INPUT_NAME: "agent" };
    const bare = await optionsOf(deployStep, { ...base, ...named });
    const full = await optionsOf(deployStep, environment({ "control-plane-url": "local", name: "agent" }, base));
    expect(bare).toEqual(full);
  });

  test("are read without blanks at their ends, and blanks alone are nothing", async () => {
    const { request } = await read({ name: "  agent\n", timeout: "  \n", source: " internal_source " });
    expect(request).toMatchObject({ target: { name: "agent" }, timeoutMilliseconds: 1_800_000 });
  });

  test("are each declared: the reader looks at no other INPUT_ variable, and at each of these", async () => {
    const { workspace, temp } = await makeRunner();
    const values = environment(
      { name: "agent", "control-plane-url": "https://control.example", "api-key": "key-0123" },
      { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp },
    );
    const environments = ["internal_source", "github", "external_docker"].map((INPUT_SOURCE) => ({
      ...values,
      INPUT_SOURCE,
    }));
    expect(
      await inputsRead(environments, DEPLOY_ACTION_INPUTS.neverEmpty, (env) => optionsOf(deployStep, env)),
    ).toEqual(Object.keys(DEPLOY_ACTION_INPUTS.defaults).map(inputVariable).sort());
  });

  test("take YAML 1.2's booleans and no others", async () => {
    expect((await read({ wait: "False", "dry-run": "TRUE" })).request.wait).toBe(false);
    expect(await faults({ wait: "yes", "dry-run": "1", "smoke-test": "tRue", "job-summary": "off" })).toEqual([
      'wait: "yes" is not valid (choose true or false)',
      'dry-run: "1" is not valid (choose true or false)',
      'smoke-test: "tRue" is not valid (choose true or false)',
      'job-summary: "off" is not valid (choose true or false)',
    ]);
  });

  test("list the choices of an unknown word", async () => {
    expect(await faults({ "on-superseded": "maybe" })).toEqual([
      'on-superseded: "maybe" is not valid (choose fail or succeed)',
    ]);
  });

  test("need to name the deployment", async () => {
    expect(await faults({ name: "" })).toEqual([
      "name: is missing; set the name of the deployment, or `deployment-id`",
    ]);
    const deploymentId = "0f8fad5b-d9cb-469f-a165-70867728950e";
    expect((await read({ name: "", "deployment-id": deploymentId })).request.target).toEqual({ deploymentId });
    expect((await read({ "deployment-id": deploymentId })).request.target).toEqual({ name: "agent", deploymentId });
    expect(await faults({ "deployment-id": "support-agent" })).toEqual([
      'deployment-id: "support-agent" is not a valid UUID; to find the deployment by its name, leave it out or write `none`',
    ]);
    expect(await faults({ name: "two\nlines" })).toEqual([
      String.raw`name: "two\nlines" contains a line break or another control character`,
    ]);
  });

  test.each(["support_agent", "a".repeat(64), "Agent", "1st", "agent-"])("warn of the name %s", async (name) => {
    const { warnings } = await read({ name });
    expect(warnings).toEqual([expect.stringContaining("not a valid DNS label")]);
  });

  test.each(["a", "support-agent", "a".repeat(63)])("have nothing to say about the name %s", async (name) => {
    expect((await read({ name })).warnings).toEqual([]);
  });
});

describe("inputs that cannot be used", () => {
  test("are reported in one error, each by its name, and with what to do next", async () => {
    const error = await errorOf({ timeout: "soon", "on-superseded": "maybe", path: "does/not/exist" });
    expect(error).toBeInstanceOf(GraphDeployError);
    expect(error.code).toBe("INPUTS");
    expect(error.message).toBe(
      '3 inputs are invalid: path "does/not/exist" is not a directory in the workspace; ' +
        'timeout "soon" is not a valid duration (examples: 90s, 30m, 1.5h); ' +
        'on-superseded "maybe" is not valid (choose fail or succeed).',
    );
    expect(error.faults.map(({ input }) => input)).toEqual(["path", "timeout", "on-superseded"]);
    expect(error.advice).toContain("nothing was sent");
  });

  test("are reported in a sentence when there is one", async () => {
    expect((await errorOf({ "on-superseded": "maybe" })).message).toBe(
      'The input on-superseded is invalid: "maybe" is not valid (choose fail or succeed).',
    );
    expect((await errorOf({ "control-plane-url": "" })).message).toBe(
      "The input control-plane-url is missing; set the address of the service, or `local` for a rehearsal.",
    );
    expect((await errorOf({ path: "nowhere" })).message).toMatch(/ is a checkout step missing\?$/);
    expect((await errorOf({ secrets: "a b\nc d" })).message).toMatch(
      /^The input secrets is invalid: line 1 is not [^;]*; line 2 is not [^;]*\.$/,
    );
  });

  test("are reported at once when nothing is given", async () => {
    const error = await optionsOf(deployStep, {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      faults: [{ input: "control-plane-url" }, { input: "api-key" }, { input: "name" }, { input: "path" }],
    });
  });

  test("are reported also when nobody can say which source is meant", async () => {
    const error = await errorOf({ source: "docker", "max-size": "huge", path: "nowhere", "graph-config": "../g.json" });
    expect(error.faults.map(({ input }) => input)).toEqual(["source", "max-size", "graph-config", "path"]);
  });

  test("have their reasons in one sentence that is cut to a bound, with the count of the others", async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `no secret ${String(line)}`).join("\n");
    const { message } = await errorOf({ secrets: lines, timeout: 'a "b"; c' });
    expect(message).toMatch(/^2 inputs are invalid: secrets line 1 is not .*; and \d+ more\.$/);
    expect(message.length).toBeLessThan(1_100);
    const quotes = await errorOf({ timeout: 'a "b"; c', wait: "x;y" });
    expect(quotes.message).toContain(String.raw`timeout "a \"b\"; c" is not a valid duration`);
  });

  test("do not repeat a key that was pasted into the wrong input", async () => {
    const key = "sk-live-0123456789";
    const error = await errorOf({ "api-key": key, "on-superseded": key, timeout: key, "graph-config": `../${key}` });
    expect(JSON.stringify([error.message, error.faults])).not.toContain(key);
    expect(error.faults).toHaveLength(3);
  });

  test("are cut when they are long, and stay on one line", async () => {
    const [fault] = (await errorOf({ timeout: `1\n::error::${"x".repeat(500)}` })).faults;
    expect(fault?.message).not.toContain("\n");
    expect(fault?.message.length).toBeLessThan(200);
  });
});

describe("the secrets of a step", () => {
  test("are all found, also when the inputs cannot be used", () => {
    const env = environment(
      {
        "api-key": "the-api-key",
        "bearer-token": "the-bearer-token",
        "control-plane-url": "https://user:url-password@control.example",
        secrets: "A=value-of-a\nFROM_ENV\nnot a secret line\nB=x=y",
        timeout: "soon",
      },
      {
        GRAPH_DEPLOY_API_KEY: "the-fallback-key",
        FROM_ENV: "value-from-env",
        https_proxy: "http://user:proxy%2Fpassword@proxy.example:8080",
        HTTP_PROXY: "http://proxy-token@proxy.example:8080",
      },
    );
    expect(new Set(secretsOf(deployStep, hostOf(env)))).toEqual(
      new Set([
        "the-api-key",
        "the-bearer-token",
        "the-fallback-key",
        "url-password",
        "value-of-a",
        "value-from-env",
        "not a secret line",
        "x=y",
        "proxy%2Fpassword",
        "proxy/password",
        "proxy-token",
      ]),
    );
  });

  test("are none in an empty environment", () => {
    expect(secretsOf(deployStep, hostOf({}))).toEqual([]);
  });

  test("are the key and the values of secrets in an ordinary step", () => {
    const env = environment({ "api-key": "key-0123", secrets: "A=value-of-a" }, {});
    expect(secretsOf(deployStep, hostOf(env))).toEqual(["key-0123", "value-of-a"]);
  });
});

describe("an environment of the repository", () => {
  const RUNNER = { GITHUB_REPOSITORY: "us/agents", GITHUB_API_URL: "https://github.example/api/v3" };
  const asked = { environment: "staging", "github-token": "ghs_0123456789" };

  test("asks for GitHub, with the token, which is a secret", async () => {
    const { github, warnings } = await read(asked, RUNNER);
    expect(github).toMatchObject({ environment: "staging", token: "ghs_0123456789" });
    expect(github?.limits.timeoutMilliseconds).toBe(1_800_000);
    expect(warnings).toEqual([]);
    expect(secretsOf(deployStep, hostOf(environment(asked)))).toContain("ghs_0123456789");
  });

  test.each([
    ["a rollback", {}, "staging"],
    // What writes nothing makes no record, and reads those of others.
    ["a dry run of one", { "dry-run": "true" }, undefined],
  ])(
    "is also where %s to the previous revision reads what earlier ones were made from",
    async (_what, change, made) => {
      const { github } = await read({ ...asked, ...change, "rollback-to": "previous" }, RUNNER);
      expect(github).toMatchObject({ environment: made, rollbackEnvironment: "staging" });
    },
  );

  test.each([
    ["to an id", { "rollback-to": "7c1a64e2-0000-4000-8000-000000000000" }],
    ["in a rehearsal", { "rollback-to": "previous", "control-plane-url": "local", "api-key": "" }],
  ])("is not read by a rollback %s", async (_what, change) => {
    const { github } = await read({ ...asked, ...change }, RUNNER);
    expect(github?.rollbackEnvironment).toBeUndefined();
  });

  test.each([
    ["without one", { environment: "" }, 0],
    ["in a dry run", { "dry-run": "true" }, 0],
    ["in a rehearsal", { "control-plane-url": "local", "api-key": "" }, 0],
    ["with revision-id", { "revision-id": "7c1a64e2-0000-4000-8000-000000000000" }, 1],
  ])("asks for nothing %s", async (_what, change, mostWarnings) => {
    const { github, warnings } = await readStep({ ...asked, ...change }, RUNNER);
    expect(github).toBeUndefined();
    expect(warnings).toHaveLength(mostWarnings);
  });
});
