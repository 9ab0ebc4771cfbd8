import fc from "fast-check";
import { propertyRuns } from "../../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { check } from "../../../../pulumi-provider/core/check/check.ts";
import type { Properties } from "../../../../pulumi-provider/core/state/state.ts";
import { context, DIRECTORY, IMAGE, REPOSITORY, STACK, UNKNOWN, type Setting } from "../../context.ts";

const reasons = async (news: Properties, setting?: Setting) =>
  (await check({}, news, context(setting))).failures.map(({ reason }) => reason);

describe("the inputs of a deployment", () => {
  test("are completed with every default, the address and the workspace", async () => {
    const config = { ...STACK, "graph-deploy:tenantId": "t-1" };
    const { inputs, failures } = await check({}, { ...REPOSITORY, url: null, __provider: "code" }, context({ config }));
    expect(failures).toEqual([]);
    expect(inputs).toEqual({
      ...REPOSITORY,
      graphConfigPath: "graph.json",
      wait: true,
      timeoutSeconds: 1800,
      adopt: "never",
      deletionProtection: false,
      revisionDrift: "redeploy",
      controlPlaneUrl: "https://control.example/api",
      tenantId: "t-1",
    });
  });

  test("keep the workspace that state has where nobody names one", async () => {
    const { inputs } = await check({ ...IMAGE, tenantId: "t-1" }, IMAGE, context());
    expect(inputs).toMatchObject({ tenantId: "t-1" });
    const named = await check({ ...IMAGE, tenantId: "t-1" }, { ...IMAGE, tenantId: "t-2" }, context());
    expect(named.inputs).toMatchObject({ tenantId: "t-2" });
  });

  test("are warned of where a setting of the source seems misspelt, and sent as they are", async () => {
    const sourceConfig = { instal_command: "uv sync", installCommand: "uv sync", of_the_service: 1 };
    const surroundings = context();
    const { inputs, failures } = await check({}, { ...REPOSITORY, sourceConfig }, surroundings);
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ sourceConfig });
    expect(surroundings.logged).toEqual(
      ["instal_command", "installCommand"].map(
        (key) => `sourceConfig: ${key} is unknown: did you mean install_command? It is sent as it is.`,
      ),
    );
  });

  test("give the same result when the result is checked again", async () => {
    const once = await check({}, IMAGE, context());
    expect(await check(once.inputs, once.inputs, context())).toEqual(once);
  });

  test("name the image's own configuration file nowhere, because it has none", async () => {
    expect((await check({}, IMAGE, context())).inputs).not.toHaveProperty("graphConfigPath");
  });

  test.each([
    [{ ...IMAGE, repoRef: "main" }, "repoRef must not be set when the source is external_docker."],
    [{ ...IMAGE, graphConfigPath: "g.json" }, "graphConfigPath must not be set when the source is external_docker."],
    [{ ...IMAGE, directory: { path: "." } }, "directory must not be set when the source is external_docker."],
    [{ ...IMAGE, imageUri: "a b" }, "imageUri contains whitespace."],
    [{ ...IMAGE, imageUri: undefined }, "imageUri is required when the source is external_docker."],
    [{ ...IMAGE, imageUri: "" }, "imageUri must not be empty."],
    [{ ...IMAGE, name: " " }, "name must not be empty."],
    [{ ...IMAGE, source: "" }, "source must be one of internal_source, github, external_docker."],
    [{ ...REPOSITORY, repoRef: " " }, "repoRef must not be empty."],
    [{ name: "a", source: "internal_source", directory: { path: "" } }, "directory.path must not be empty."],
    [{ ...IMAGE, tenantId: "" }, "tenantId must not be empty."],
    [{ ...REPOSITORY, imageUri: "x" }, "imageUri must not be set when the source is github."],
    [{ ...REPOSITORY, repoRef: null }, "repoRef is required when the source is github."],
    [{ ...REPOSITORY, repoRef: "refs/heads/main" }, "repoRef must be the bare name of the branch: main."],
    [
      { ...REPOSITORY, repoRef: "refs/tags/v1" },
      "sourceConfig.build_on_push must be false when repo_ref is a tag, because tags are immutable.",
    ],
    [
      { ...REPOSITORY, repoRef: "refs/tags/v1", sourceConfig: { build_on_push: "false" } },
      "sourceConfig.build_on_push must be true or false, without quotes.",
    ],
    [{ ...REPOSITORY, graphConfigPath: "../g.json" }, "graphConfigPath is outside the project."],
    [{ ...REPOSITORY, graphConfigPath: "/g.json" }, "graphConfigPath must be a relative path."],
    [{ name: "a", source: "internal_source" }, "directory is required when the source is internal_source."],
    [{ ...IMAGE, source: "docker" }, "source must be one of internal_source, github, external_docker."],
    [{ ...IMAGE, name: undefined }, "name is missing."],
    [{ ...IMAGE, timeoutSeconds: 0 }, "timeoutSeconds must be more than 0."],
    [{ ...IMAGE, wait: "yes" }, "wait must be true or false."],
    [{ ...IMAGE, adopt: "required" }, "adopt must be never or ifExists."],
    [{ ...IMAGE, credential: { env: "A", config: "b" } }, "credential must be { env } or { config }."],
    [
      { ...IMAGE, customTimeouts: { create: "soon" } },
      "customTimeouts.create is not a valid duration (examples: 90s, 10m, 1h30m).",
    ],
    [{ ...IMAGE, image_uri: "x" }, "image_uri is not a known input (did you mean imageUri?)."],
    [
      { ...IMAGE, deletionProtecton: true },
      "deletionProtecton is not a known input (did you mean deletionProtection?).",
    ],
    [{ ...IMAGE, colour: "x" }, "colour is not a known input."],
    [{ ...IMAGE, fieldNames: { a: "x", b: "x" } }, 'fieldNames cannot be used: two names become "x".'],
    [{ ...IMAGE, secrets: { PORT: "80" } }, "secrets.PORT is set by the platform itself."],
    [{ ...IMAGE, secrets: { A: "" } }, "secrets.A is empty, which usually means the secret is not set."],
    [{ ...IMAGE, secretsFromEnv: { A: "MISSING" } }, "secretsFromEnv.A names the variable MISSING, which is not set."],
    [
      { ...IMAGE, secretsFromEnv: { A: "sk-1234" } },
      "secretsFromEnv.A does not name a variable that is set; give the name of a variable, not a value.",
    ],
    [
      { ...IMAGE, credential: { env: "sk-1234" } },
      "credential.env does not name a variable that is set; give the name of a variable, not a value.",
    ],
    [
      { ...IMAGE, credential: { config: "sk-1234" } },
      "credential.config does not name a key of the stack's configuration; give the name of a key, not a value.",
    ],
    [
      { ...IMAGE, credential: { config: "otherKey" } },
      "credential.config names the key graph-deploy:otherKey, which the stack's configuration does not have.",
    ],
    [
      { ...IMAGE, controlPlaneUrl: "http://control.example" },
      "controlPlaneUrl cannot be used: The address of control.example uses http, which would send the credentials unencrypted; use https.",
    ],
  ])("are refused for one reason: %j", async (news, reason) => {
    expect(await reasons(news)).toEqual([reason]);
  });

  test("report all that is wrong at once, in the order of the inputs", async () => {
    const news = { source: "external_docker", repoRef: "main", timeoutSeconds: "x", secrets: { "1A": "v" }, nmae: "a" };
    expect(await reasons(news, { config: {} })).toEqual([
      "name is missing.",
      "repoRef must not be set when the source is external_docker.",
      "imageUri is required when the source is external_docker.",
      "secrets has a name that is not a valid variable name: use letters, digits and underscores, and no digit first.",
      "timeoutSeconds must be a number.",
      "controlPlaneUrl is missing: set it, or run `pulumi config set graph-deploy:controlPlaneUrl https://…`, or set GRAPH_DEPLOY_URL.",
      "credential is not set, and there is no API key: run `pulumi config set --secret graph-deploy:apiKey`, or set GRAPH_DEPLOY_API_KEY.",
      "nmae is not a known input (did you mean name?).",
    ]);
  });
});

describe("what a check says", () => {
  test("names as property only what holds a number or a boolean, because the engine prints its value", async () => {
    const { failures } = await check({}, { ...IMAGE, imageUri: "a b", timeoutSeconds: -1 }, context());
    expect(failures.map(({ property }) => property)).toEqual(["", "timeoutSeconds"]);
  });

  test("holds no value of a secret, wherever it was written", async () => {
    const value = fc.stringMatching(/^[a-z0-9]{12}$/);
    const places: readonly ((secret: string) => Properties)[] = [
      (secret) => ({ ...IMAGE, secrets: { PORT: secret } }),
      (secret) => ({ ...IMAGE, secrets: secret }),
      (secret) => ({ ...IMAGE, secrets: [secret] }),
      (secret) => ({ ...IMAGE, secrets: { A: [secret] } }),
      (secret) => ({ ...IMAGE, apiKey: secret }),
      (secret) => ({ ...IMAGE, controlPlaneUrl: secret }),
      (secret) => ({ ...IMAGE, controlPlaneUrl: `https://u:${secret}@host` }),
      (secret) => ({ ...REPOSITORY, secrets: { A: secret }, repoRef: `refs/heads/${secret}` }),
      (secret) => ({ ...IMAGE, source: secret }),
      (secret) => ({ ...IMAGE, adopt: secret, onDelete: secret, wait: secret, sourceConfig: secret }),
    ];
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(...places), async (secret, place) => {
        const news = place(secret);
        const { failures } = await check({}, news, context());
        expect(failures).not.toEqual([]);
        for (const { property, reason } of failures) {
          expect(reason).not.toContain(secret);
          expect(property === "" || typeof news[property] === "boolean").toBe(true);
        }
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });
});

test.each([
  ["registry/agent", "has no tag"],
  ["registry/agent:latest", "has the tag `latest`"],
  ["registry/agent:1.4.2", undefined],
  [UNKNOWN, undefined],
])("the image %s, whose name moves on with every push, is warned about and taken", async (imageUri, warning) => {
  const into = context();
  const { failures } = await check({}, { ...IMAGE, imageUri }, into);
  expect(failures).toEqual([]);
  expect(into.logged).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
});

describe("a value that is not known yet", () => {
  const complete: readonly Properties[] = [
    { ...IMAGE, secrets: { A: "v" }, secretsFromEnv: { B: "SET" }, triggers: ["x"], credential: { env: "SET" } },
    {
      ...REPOSITORY,
      repoRef: "refs/tags/v1",
      sourceConfig: { build_on_push: false },
      tenantId: "t",
      timeoutSeconds: 5,
    },
    { ...DIRECTORY, controlPlaneUrl: "https://a.example", fieldNames: { a: "b" }, ignoreSecretChanges: ["A"] },
  ];

  test("is no fault in any input, as a whole or inside of one", async () => {
    const setting = { env: { SET: "value" }, programDirectory: "/nowhere" };
    for (const news of complete) {
      for (const [key, value] of Object.entries(news)) {
        const inside =
          typeof value === "object" && value !== null
            ? Object.keys(value).map((part) => ({ ...news, [key]: withPart(value, part) }))
            : [];
        for (const unknown of [{ ...news, [key]: UNKNOWN }, ...inside]) {
          // The folder of these inputs does not exist.
          const told = (await reasons(unknown, setting)).filter((reason) => !reason.startsWith("directory cannot"));
          expect(told, JSON.stringify(unknown)).toEqual([]);
        }
      }
    }
  });

  test.each([[{ directory: UNKNOWN }], [{ directory: { path: UNKNOWN } }], [{ graphConfigPath: UNKNOWN }]])(
    "leaves the hash of the source open: %j",
    async (change) => {
      const { inputs, failures } = await check({}, { ...DIRECTORY, ...change }, context());
      expect(failures).toEqual([]);
      expect(inputs).toMatchObject({ sourceHash: UNKNOWN, sourceSummary: UNKNOWN });
    },
  );

  test("stays in the place of the address and the workspace", async () => {
    const news = { ...IMAGE, controlPlaneUrl: UNKNOWN, tenantId: UNKNOWN };
    expect((await check({}, news, context())).inputs).toMatchObject({ controlPlaneUrl: UNKNOWN, tenantId: UNKNOWN });
  });
});

function withPart(value: object, part: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === part ? UNKNOWN : item));
  return { ...value, [part]: UNKNOWN };
}
