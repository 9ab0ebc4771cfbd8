import { deployStep } from "../../../../front/steps/deploy/step.ts";
import { optionsOf } from "../../hosted.ts";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { withRunner, environment, faults, makeRunner, read, type Inputs } from "../../options/step.ts";

const REVISION = "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11";
const sourceOf = async (inputs: Inputs) => (await read(inputs)).request.source;

describe("the source", () => {
  test("that is not named follows from what is given", async () => {
    expect(await sourceOf({})).toMatchObject({ source: "internal_source" });
    expect(await sourceOf({ "repo-ref": "main" })).toEqual({
      source: "github",
      repoRef: "main",
      graphConfig: "graph.json",
    });
    expect(await sourceOf({ "image-uri": "registry.example/a:1" })).toEqual({
      source: "external_docker",
      imageUri: "registry.example/a:1",
    });
    expect(await faults({ "image-uri": "registry.example/a:1", "repo-ref": "main" })).toEqual([
      "source: is not set, but `image-uri` and `repo-ref` are both set; set only one of them",
    ]);
  });

  test("is one of those that this action can deploy", async () => {
    expect(await faults({ source: "internal_docker" })).toEqual([
      'source: "internal_docker" is for images that another tool pushes and deploys; choose internal_source, github or external_docker',
    ]);
    expect(await faults({ source: "gitlab" })).toEqual([
      'source: "gitlab" is not a source; choose internal_source, github or external_docker',
    ]);
  });

  test("has what it needs", async () => {
    expect(await faults({ source: "github" })).toEqual([expect.stringMatching(/^repo-ref: is missing/)]);
    expect(await faults({ source: "external_docker" })).toEqual([expect.stringMatching(/^image-uri: is missing/)]);
    expect(await faults({ "image-uri": "a b" })).toEqual(['image-uri: "a b" contains whitespace']);
  });

  test.each([
    ["internal_source", {}, ["image-uri", "repo-ref"]],
    [
      "github",
      { "repo-ref": "main" },
      ["path", "include", "exclude", "allow-secrets-in-source", "max-size", "image-uri"],
    ],
    [
      "external_docker",
      { "image-uri": "a:1" },
      [
        "path",
        "graph-config",
        "include",
        "exclude",
        "allow-secrets-in-source",
        "max-size",
        "repo-ref",
        "install-command",
        "build-command",
      ],
    ],
  ] as const)("%s takes no input of another", async (source, own, foreign) => {
    const all: Inputs = {
      path: "agents",
      "graph-config": "other.json",
      include: "a",
      exclude: "b",
      "allow-secrets-in-source": "c",
      "max-size": "1MB",
      "image-uri": "a:1",
      "repo-ref": "main",
      "install-command": "make",
      "build-command": "make",
    };
    const given = Object.fromEntries(Object.entries(all).filter(([name]) => foreign.some((input) => input === name)));
    const told = await faults({ source, ...given, ...own });
    expect(told.map((line) => line.replace(/:.*/, ""))).toEqual(foreign);
    for (const line of told)
      expect(line).toMatch(new RegExp(`applies only to source .*; the source here is ${source}$`));
  });

  test("follows the service's rules, which are reported under the input that breaks them", async () => {
    expect(await faults({ "repo-ref": "refs/heads/main" })).toEqual([
      "repo-ref: must be the bare name of the branch: main",
    ]);
    const tag = { "repo-ref": "refs/tags/v1" };
    expect(await faults(tag)).toEqual([expect.stringMatching(/^source-config: build_on_push must be false/)]);
    expect(await faults({ ...tag, "source-config": 'build_on_push: "false"' })).toHaveLength(1);
    const { request } = await read({ ...tag, "source-config": "build_on_push: false" });
    expect(request.sourceConfig).toEqual({ build_on_push: false });
  });
});

describe("the folder of the project", () => {
  const inputs: Inputs = { "control-plane-url": "local", name: "agent" };
  const directoryOf = async (runner: { workspace: string; temp: string }, path: string) => {
    const env = environment({ ...inputs, path }, { GITHUB_WORKSPACE: runner.workspace, RUNNER_TEMP: runner.temp });
    const read = await optionsOf(deployStep, env).catch((error: unknown) => error);
    return read instanceof Error ? read.message : read;
  };

  withRunner("is relative to the workspace, or an absolute path in it", async (runner) => {
    const folder = join(runner.workspace, "agents", "support");
    await mkdir(folder, { recursive: true });
    for (const path of ["agents/support", "./agents/../agents/support/", folder]) {
      expect(await directoryOf(runner, path)).toMatchObject({
        request: { source: { directory: folder, workspace: runner.workspace } },
      });
    }
  });

  withRunner("may be a link within the workspace, and what it leads to is taken", async (runner) => {
    await mkdir(join(runner.workspace, "real"));
    await symlink("real", join(runner.workspace, "link"));
    expect(await directoryOf(runner, "link")).toMatchObject({
      request: { source: { directory: join(runner.workspace, "real") } },
    });
  });

  withRunner("lies in the workspace, also behind links", async (runner) => {
    await symlink(dirname(runner.workspace), join(runner.workspace, "out"));
    for (const path of ["..", "../temp", "out", "out/temp", runner.temp]) {
      expect(await directoryOf(runner, path)).toMatch(/^The input path is invalid: ".*" is outside the workspace/);
    }
    const sibling = `${runner.workspace}-2`;
    await mkdir(sibling);
    expect(await directoryOf(runner, sibling)).toMatch(/is outside the workspace/);
  });

  withRunner("is a folder that is there", async (runner) => {
    await writeFile(join(runner.workspace, "file"), "");
    expect(await directoryOf(runner, "does/not/exist")).toContain(
      '"does/not/exist" is not a directory in the workspace',
    );
    expect(await directoryOf(runner, "file/below")).toContain('"file/below" is not a directory in the workspace');
    expect(await directoryOf(runner, "file")).toBe(
      'The input path is invalid: "file" is a file; set it to the directory of the agent project.',
    );
  });

  test("that does not exist is answered with a directory of a similar name, or the projects that exist", async () => {
    const runner = await makeRunner();
    await mkdir(join(runner.workspace, "examples", "agent"), { recursive: true });
    expect(await directoryOf(runner, "elsewhere")).toMatch(/: "elsewhere" is not a directory in the workspace\.$/);
    await writeFile(
      join(runner.workspace, "examples", "agent", "graph.json"),
      '{"graphs": {"agent": "./agent.py:graph"}, "dependencies": ["."]}',
    );
    for (const [path, hint] of [
      ["examples/agnt", "is not a directory in the workspace; did you mean examples/agent?"],
      ["elsewhere", 'is not a directory in the workspace; set it to "examples/agent".'],
      ["examples/agent/graph.json", 'is a file; set it to "examples/agent".'],
      ["..", 'is outside the workspace; set it to "examples/agent".'],
    ] as const) {
      expect(await directoryOf(runner, path)).toBe(`The input path is invalid: "${path}" ${hint}`);
    }
    await writeFile(join(runner.workspace, "langgraph.json"), '{"graphs": {"agent": "./agent.py:graph"}}');
    expect(await directoryOf(runner, "langgraph.json")).toBe(
      'The input path is invalid: "langgraph.json" is a file; set it to "." with `graph-config: langgraph.json`.',
    );
    expect(await directoryOf(runner, "elsewhere")).toMatch(/; set it to "\." with `[^`]+` or "examples\/agent"\.$/);
  });

  withRunner("in an empty workspace asks for the checkout", async (runner) => {
    await mkdir(join(runner.workspace, ".git"));
    expect(await directoryOf(runner, "agents")).toMatch(/the workspace is empty: is a checkout step missing\?$/);
  });

  withRunner("may begin with dots", async (runner) => {
    await mkdir(join(runner.workspace, "..agent"));
    expect(await directoryOf(runner, "..agent")).toMatchObject({ request: {} });
  });

  test("needs a workspace", async () => {
    expect(await faults({}, { GITHUB_WORKSPACE: "" })).toEqual([expect.stringMatching(/GITHUB_WORKSPACE is not set/)]);
    expect(await faults({}, { GITHUB_WORKSPACE: "/no/such/workspace" })).toEqual([
      expect.stringMatching(/the workspace "\/no\/such\/workspace" is not a directory/),
    ]);
  });

  test("comes with the lines of include and exclude as they are written", async () => {
    const source = await sourceOf({ include: "!a\r\n\n# note\n  b \\ ", exclude: "*.md" });
    expect(source).toMatchObject({ include: ["!a", "# note", "  b \\"], exclude: ["*.md"] });
  });

  test("comes with the files that may contain credentials", async () => {
    expect(await sourceOf({})).not.toHaveProperty("allowSecretsInSource");
    const source = await sourceOf({ "allow-secrets-in-source": "requirements.txt\n  libs/a b/uv.lock \n" });
    expect(source).toMatchObject({ allowSecretsInSource: ["requirements.txt", "libs/a b/uv.lock"] });
  });
});

describe("the configuration file", () => {
  test.each([
    ["./config/graph.json", "config/graph.json"],
    ["a//b/../graph.json", "a/graph.json"],
    ["..graph.json", "..graph.json"],
  ])("written %s is %s", async (text, path) => {
    expect(await sourceOf({ "graph-config": text })).toMatchObject({ graphConfig: path });
    expect(await sourceOf({ "graph-config": text, "repo-ref": "main" })).toMatchObject({ graphConfig: path });
  });

  test.each([
    ["../graph.json", "the project"],
    ["a/../../graph.json", "the project"],
    ["..", "the project"],
    ["/etc/graph.json", "relative path"],
    ["C:/graph.json", "relative path"],
    ["config/", "file in it"],
    [".", "file in it"],
    ["config\\graph.json", "forward slashes"],
  ])("is not %s", async (text, why) => {
    const [fault = "", ...others] = await faults({ "graph-config": text });
    expect(fault).toContain(`graph-config: ${JSON.stringify(text)} `);
    expect(fault).toContain(why);
    expect(others).toEqual([]);
  });
});

describe("the source config", () => {
  const configOf = async (inputs: Inputs) => (await read(inputs)).request.sourceConfig;

  test("is a YAML mapping", async () => {
    expect(await configOf({ "source-config": "a: 1\nb: {c: [x, null, true]}\nd: '2'" })).toEqual({
      a: 1,
      b: { c: ["x", null, true] },
      d: "2",
    });
    expect(await configOf({ "source-config": '{"deployment_type": "dev"}' })).toEqual({ deployment_type: "dev" });
  });

  test.each(['{"__proto__": {"a": 1}, "constructor": 2}', "__proto__: {a: 1}\nconstructor: 2"])(
    "that are written as %j keep every key as their own",
    async (text) => {
      expect(JSON.stringify(await configOf({ "source-config": text }))).toBe('{"__proto__":{"a":1},"constructor":2}');
    },
  );

  test("takes the commands of their own inputs", async () => {
    const commands = { "install-command": "npm ci", "build-command": "npm run build" };
    expect(await configOf({ ...commands, "source-config": "a: 1" })).toEqual({
      a: 1,
      install_command: "npm ci",
      build_command: "npm run build",
    });
    expect(await faults({ ...commands, "source-config": "build_command: make" })).toEqual([
      "build-command: is also set by `build_command` in `source-config`; set only one of them",
    ]);
  });

  test("has values of the types that the service takes, also where another source is at fault", async () => {
    const config = { "source-config": "build_on_push: yes\ninstall_command: [npm, ci]" };
    const wrong = [
      "source-config: build_on_push must be true or false, without quotes",
      "source-config: install_command must be text",
    ];
    expect(await faults(config)).toEqual(wrong);
    expect(await faults({ ...config, "deployment-id": REVISION })).toEqual(wrong);
    expect(await faults({ ...config, source: "gitlab" })).toEqual([
      expect.stringMatching(/^source: "gitlab" is not a source/),
      ...wrong,
    ]);
  });

  test.each(["false", "true"])("warns of a key that is near a known one, and sends it (dry-run %s)", async (dryRun) => {
    const { request, warnings } = await read({
      "source-config": "instal_command: make\nresource_spec: {cpu: 1}\nbuild_on_push: false",
      "dry-run": dryRun,
    });
    expect(warnings).toEqual([
      "source-config: instal_command is unknown: did you mean install_command? It is sent as it is.",
    ]);
    expect(request.sourceConfig).toMatchObject({ instal_command: "make", resource_spec: { cpu: 1 } });
  });

  test.each(["- a", "text", "42", "null", "a: .nan", "a: .inf", "a: *nowhere"])("is not %j", async (text) => {
    expect(await faults({ "source-config": text })).toEqual([
      expect.stringMatching(
        /^source-config: (must be a YAML mapping|is not valid YAML: line \d+|`a` is not a number|has an alias)/,
      ),
    ]);
  });

  test("that is no YAML is a fault by its place, which repeats nothing of it", async () => {
    const told = await faults({ "source-config": "a: 1\nb: [sesame-1" });
    expect(told).toEqual([expect.stringMatching(/^source-config: is not valid YAML: line 2, column \d+ \([A-Z_]+\)$/)]);
    expect(await faults({ "source-config": "a: 1\na: 2" })).toEqual([
      expect.stringMatching(/^source-config: `a` is set twice$/),
    ]);
    expect(await faults({ "source-config": "a: 1\n---\nb: 2" })).toEqual([
      expect.stringMatching(/line 2.*MULTIPLE_DOCS/),
    ]);
  });

  test("that unfolds to something huge is a fault", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefgh".split("").map((name, index) => {
        const below = "abcdefg".charAt(index);
        return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${below}`).join(",")}]`;
      }),
    ].join("\n");
    expect(await faults({ "source-config": bomb })).toEqual([expect.stringMatching(/is too large/)]);
  });
});
