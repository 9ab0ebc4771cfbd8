import { describe, expect, test } from "vitest";
import { packedOf, paths, readNodes } from "../temporary-tree.ts";

const config = (env: string) =>
  JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: [".", "requests"], env });

describe("secrets stay home", () => {
  test.each([
    ".env",
    ".env.local",
    ".env.production.local",
    ".ENV",
    ".envrc",
    "prod.env",
    "gha-creds-1a2b3c.json",
    "server.pem",
    "deploy.key",
    "store.p12",
    "store.pfx",
    "id_rsa",
    "id_ed25519",
    ".pypirc",
    ".netrc",
    ".git-credentials",
    "my-service-account.json",
    "service_account_key.json",
    "application_default_credentials.json",
    "client_secret_123.json",
    "credentials.json",
    "terraform.tfstate",
    ".aws/config",
    ".ssh/known_hosts",
    ".streamlit/secrets.toml",
    ".dev.vars",
    ".dev.vars.production",
    ".docker/config.json",
    ".cargo/credentials.toml",
    ".boto",
    ".s3cfg",
    "secrets.json",
    "secrets.yaml",
    "secrets.yml",
    "prod.tfvars",
    "prod.auto.tfvars.json",
    "AuthKey_1A2B3C4D5E.p8",
    ".databrickscfg",
    "local.settings.json",
  ])("%s is left out and reported, wherever it lies", async (name) => {
    const { entries, leftOut, warnings } = await readNodes({ [name]: "x", [`lib/${name}`]: "x" });
    expect(entries).toHaveLength(2);
    expect(leftOut).toMatchObject([{ reason: "secret", files: 2 }]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.local.example",
    ".dev.vars.example",
    "example.env",
    "config.json",
    "docker/config.json",
    "my.docker/config.json",
    "credentials.toml",
    "secrets.py",
    "key.p8",
    "id_rsa.pub",
    "monkey.py",
  ])("%s is no secret", async (name) => {
    expect(await packedOf({ [name]: "x" })).toEqual([name]);
  });

  test.each([".langgraph_api", ".graph_api"])("what a development server keeps in %s stays home too", async (name) => {
    const { leftOut } = await readNodes({ [`${name}/checkpoints.pckl`]: "x" });
    expect(leftOut).toEqual([{ what: name, reason: "built-in", files: 1, atLeast: false }]);
  });

  test("one secret is reported by its path, several of a kind by the kind", async () => {
    const { leftOut } = await readNodes({ "a/.env": "", "certs/a.pem": "", "certs/b.pem": "" });
    expect(leftOut).toEqual([
      { what: "*.pem", reason: "secret", files: 2, atLeast: false },
      { what: "a/.env", reason: "secret", files: 1, atLeast: false },
    ]);
  });

  test.each([
    [".npmrc", "//registry.npmjs.org/:_authToken=npm_abcdef\n", false],
    [".npmrc", "registry=https://x/\n//x/:_password = c2VjcmV0\n", false],
    [".npmrc", "; //x/:_auth=abc\n", false],
    [".npmrc", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n", true],
    [".npmrc", '//registry.npmjs.org/:_authToken="${NPM_TOKEN}"\n', true],
    [".npmrc", "engine-strict=true\nalways-auth=true\n", true],
    [".yarnrc.yml", "npmAuthToken: abc\n", false],
    [".yarnrc.yml", 'npmAuthToken: "${TOKEN}"\nnodeLinker: pnp\n', true],
  ])("%s with %j is packed: %s", async (name, text, packed) => {
    expect(await packedOf({ [name]: text })).toEqual(packed ? [name] : []);
  });

  test("the env file that the configuration names is left out, whatever its name", async () => {
    const tree = await readNodes({ "graph.json": config("./config/agent.txt"), "config/agent.txt": "KEY=x" });
    expect(paths(tree)).toEqual(["agent.py", "graph.json"]);
    expect(tree.envFile).toBe("./config/agent.txt");
    expect(tree.leftOut).toEqual([{ what: "config/agent.txt", reason: "secret", files: 1, atLeast: false }]);
  });

  test("an env that is an object names no file", async () => {
    const graph = JSON.stringify({
      graphs: { agent: "./agent.py:graph" },
      dependencies: [".", "requests"],
      env: { LOG: "1" },
    });
    expect((await readNodes({ "graph.json": graph })).envFile).toBeUndefined();
  });

  test("include brings one in, with a warning that names it", async () => {
    const tree = await readNodes({ ".env": "x", "certs/ca.pem": "x" }, { include: ["/certs/ca.pem"] });
    expect(paths(tree)).toEqual(["agent.py", "certs/ca.pem", "graph.json"]);
    expect(tree.warnings).toEqual([expect.stringMatching(/secret: certs\/ca\.pem\.$/)]);
    expect(tree.leftOut).toEqual([{ what: ".env", reason: "secret", files: 1, atLeast: false }]);
  });

  test("a folder of credentials that include names brings its files in", async () => {
    const tree = await readNodes({ ".aws/config": "x", ".aws/other": "x" }, { include: ["/.aws/config"] });
    expect(paths(tree)).toEqual([".aws/config", "agent.py", "graph.json"]);
  });

  test.skipIf(process.platform === "win32")("a link with the name of a secret stays home too", async () => {
    expect(await packedOf({ ".env": { link: "/etc/passwd" } })).toEqual([]);
  });
});
