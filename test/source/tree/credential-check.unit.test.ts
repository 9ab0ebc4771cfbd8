import { describe, expect, test } from "vitest";
import { failure, packedOf, PROJECT, readNodes } from "../temporary-tree.ts";

const LOGIN = "https://robot:hunter2hunter2@pypi.internal/simple";
const TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8";
const config = (env: unknown, more: object = {}) =>
  JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: ["."], env, ...more }, undefined, 2);

/** The message of the error about a file, which never holds what was found. */
async function messageFor(nodes: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const error = await failure(readNodes(nodes));
  expect(error).toMatchObject({ code: "SOURCE_TREE", reasons: ["CREDENTIALS_FOUND"] });
  expect(`${error.message} ${error.advice ?? ""}`).not.toMatch(/hunter2|robot|a1B2c3D4/);
  return error.message;
}

describe("an address with a password keeps a file from being packed", () => {
  test.each([
    "requirements.txt",
    "requirements-dev.txt",
    "requirements.in",
    "requirements.lock",
    "dev-requirements.txt",
    "requirements/base.txt",
    "constraints.txt",
    "lib/Requirements.txt",
    "pip.conf",
    "pyproject.toml",
    "uv.lock",
    "uv.toml",
    "poetry.lock",
    "pdm.lock",
    "Pipfile",
    "Pipfile.lock",
    "setup.py",
    "environment.yml",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    ".npmrc",
    ".gitmodules",
  ])("%s", async (name) => {
    expect(await messageFor({ [name]: `one\ntwo ${LOGIN}\n` })).toBe(
      `The source cannot be packed: ${name} contains an address with a password or a token (line 2).`,
    );
  });

  test("in the configuration, wherever it stands there", async () => {
    const graph = config({}, { dockerfile_lines: [`RUN pip install --index-url ${LOGIN} agent`] });
    expect(await messageFor({ "graph.json": graph })).toMatch(/graph\.json contains an address .* \(line \d+\)\.$/);
  });

  test("with all of its lines, and each file of its own", async () => {
    const nodes = { "requirements.txt": `${LOGIN}\n`.repeat(6), "uv.lock": `${LOGIN} ${LOGIN}`, "b.txt": LOGIN };
    expect(await messageFor(nodes)).toMatch(
      /, for 2 reasons: requirements\.txt .* \(lines 1, 2, 3 and 3 more\); uv\.lock .* \(line 1\)\.$/,
    );
  });

  test("also in UTF-16, as PowerShell writes it", async () => {
    expect(await messageFor({ "requirements.txt": Buffer.from(`\uFEFFa\r\n${LOGIN}\r\n`, "utf16le") })).toMatch(
      /line 2/,
    );
  });

  test("also behind a link with another name", async () => {
    const error = await failure(readNodes({ "requirements.txt": { link: "pinned" }, pinned: LOGIN }));
    expect(error.message).toMatch(/requirements\.txt contains/);
  });
});

describe("a secret in `env` of the configuration keeps it from being packed", () => {
  test.each<[string, unknown]>([
    ["of a known form", { MODEL: TOKEN }],
    ["of 16 characters, under the name of a key", { OPENAI_API_KEY: "k-23456789abcdef" }],
    ["of a token", { auth_token: "t-23456789abcdef" }],
    ["of a secret", { CLIENT_SECRET: "s-23456789abcdef" }],
    ["of a password", { DB_PASSWORD: "p-23456789abcdef" }],
    ["in a list", ["LOG=1", "OPENAI_API_KEY=k-23456789abcdef"]],
  ])("%s", async (_what, env) => {
    const graph = config(env);
    const message = await messageFor({ "graph.json": graph });
    expect(message).toMatch(/: graph\.json contains the value of `\w+` \(line \d+\)\.$/);
    const line = Number(/line (\d+)/.exec(message)?.[1]);
    expect(graph.split("\n")[line - 1]).toMatch(/a1B2c3|23456789/);
    expect(message).not.toContain("23456789");
  });

  test.each<[string, unknown]>([
    ["a reference", { OPENAI_API_KEY: "${OPENAI_API_KEY_OF_CI}" }],
    ["a reference without braces", { OPENAI_API_KEY: "$OPENAI_API_KEY_OF_CI" }],
    ["a word for it", { OPENAI_API_KEY: "<the key of the team>" }],
    ["a hint", { OPENAI_API_KEY: "your-openai-api-key-goes-here" }],
    ["stars", { OPENAI_API_KEY: "sk-******************************" }],
    ["15 characters", { OPENAI_API_KEY: "k-23456789abcde" }],
    ["another name", { LOG_FORMAT: "a rather long text that is no secret" }],
    ["nothing", { OPENAI_API_KEY: "" }],
    ["names alone", ["OPENAI_API_KEY", "LOG"]],
  ])("but not %s", async (_what, env) => {
    const { warnings } = await readNodes({ "graph.json": config(env) });
    expect(warnings.filter((warning) => warning.includes("credential"))).toEqual([]);
  });
});

describe("a file is packed", () => {
  test("that holds no login, or is not of those that name packages", async () => {
    const nodes = { "requirements.txt": "https://user:password@example.com\n", "notes.txt": LOGIN, "a.py": TOKEN };
    expect(await packedOf(nodes)).toEqual(["a.py", "notes.txt", "requirements.txt"]);
  });

  test("that is left out anyway is not searched", async () => {
    expect(await packedOf({ "requirements.txt": LOGIN }, { exclude: ["requirements.txt"] })).toEqual([]);
  });

  test("that is allowed by its name, with a warning", async () => {
    const nodes = { "lib/requirements.txt": LOGIN };
    const { warnings, files } = await readNodes(nodes, { allowSecretsInSource: ["./lib/requirements.txt"] });
    expect(files).toBe(Object.keys(PROJECT).length + 1);
    expect(warnings).toEqual(["Packed with the credentials in them, as allowed: lib/requirements.txt."]);
    const other = await failure(readNodes(nodes, { allowSecretsInSource: ["requirements.txt"] }));
    expect(other.message).toContain("lib/requirements.txt");
  });

  test("that is too large to be searched, with a warning", async () => {
    const { warnings } = await readNodes({ "uv.lock": Buffer.alloc(33 * 1024 * 1024, "x\n") });
    expect(warnings).toEqual(["Not searched for credentials because they are too large: uv.lock."]);
  });
});
