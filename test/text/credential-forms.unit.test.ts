import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdsToken, isPlaceholder, loginsIn } from "../../src/text/credential-forms.ts";

const has = (text: string) => [...loginsIn(text)].length > 0;
const HOSTILE = ["https://{", "https://${a", "https://<", "https://$(", "https://{<$(", "https://{}", "{a}", "${a:"];
// Made up, and put together here so that no scanner takes them for real.
const token = (start: string, length = 36) => start + "a1B2c3D4e5F6g7H8i9J0".repeat(3).slice(0, length);

describe("an address with a password or a token", () => {
  test.each([
    "https://robot:hunter2@pypi.internal/simple",
    "--extra-index-url=https://robot:s3cr3t@pypi.example.com/simple/",
    "agent @ git+https://ci:abc123@git.example.com/agent.git@v1",
    "https://ci:pass%40word@host/",
    "https://a@b.example:p@ss@host/",
    "https://__token__:abc123xyz@upload.example.org/legacy/",
    "ssh://git:abc123@git.example.com/agent.git",
    "HTTPS://robot:hunter2@host",
    "http://:hunter2@host/",
    `git+https://${token("ghp_")}@github.com/org/agent.git`,
    `git+https://${token("ghp_")}:x-oauth-basic@github.com/org/agent.git`,
    `https://${token("github_pat_")}:@github.com/org/agent`,
    `https://oauth2:${token("glpat-", 20)}@gitlab.com/org/agent.git`,
    `https://${token("", 40)}@gitea.example.com/org/agent.git`,
    `https://${token("", 20)}:@pypi.fury.io/org/`,
    "https://${PYPI_USER:-ci}:hunter2@pypi.internal/simple",
    "https://{env:PYPI_USER}:hunter2@pypi.internal/simple",
    "https://{{ user }}:hunter2@pypi.internal/simple",
    "https://<user>:hunter2@pypi.internal/simple",
    "https://%(user)s:hunter2@pypi.internal/simple",
    "https://%USER%:hunter2@pypi.internal/simple",
    "https://$PYPI_USER:hunter2@pypi.internal/simple",
    `https://\${GIT_TOKEN:-${token("ghp_")}}@github.com/org/agent.git`,
    `https://robot:\${GIT_TOKEN:-${token("ghp_")}}@github.com/org/agent.git`,
    "<https://host/path> and https://robot:hunter2@host",
    '"resolved": "https://robot:hunter2@npm.example.com/left-pad/-/left-pad-1.3.0.tgz"',
  ])("is found in %s", (text) => {
    expect(has(text)).toBe(true);
  });

  test.each([
    "https://user:password@example.com",
    "https://username:password@example.com/simple",
    "https://user:pass@host/",
    "https://USER:PASSWORD@host/",
    "https://robot:${PYPI_PASSWORD}@pypi.internal/simple",
    "https://${PYPI_USER}:${PYPI_PASSWORD}@pypi.internal/simple",
    "https://robot:%24%7BPYPI_PASSWORD%7D@pypi.internal/simple",
    "https://robot:$PYPI_PASSWORD@pypi.internal/simple",
    "https://robot:$(get-password)@pypi.internal/simple",
    "https://{user}:{token}@pypi.internal/simple",
    "https://robot:{{ token }}@pypi.internal/simple",
    "https://$TOKEN@github.com/org/agent.git",
    "https://${TOKEN}@github.com/org/agent.git",
    "https://<token>@github.com/org/agent.git",
    "https://robot:<password>@pypi.internal/simple",
    "https://${GIT_TOKEN:-}@github.com/org/agent.git",
    "https://${GIT_TOKEN:-x}:y@git.example.com/agent.git",
    "https://${GIT_TOKEN:?set it: in the settings}@github.com/org/agent.git",
    "https://robot:${PYPI_PASSWORD:-changeme:x}@pypi.internal/simple",
    "https://{env:GH_TOKEN}@github.com/org/agent.git",
    "https://{env:PYPI_USER}:{env:PYPI_PASSWORD}@pypi.internal/simple",
    "https://%(user)s@pypi.internal/simple",
    "https://%(user)s:%(password)s@pypi.internal/simple",
    "https://%USER%:%PASSWORD%@pypi.internal/simple",
    "https://{{ token }}@github.com/org/agent.git",
    "https://{{ user }}:{{ password }}@pypi.internal/simple",
    "https://<user>:<token>@github.com/org/agent.git",
    "https://<user>:${PYPI_PASSWORD}@pypi.internal/simple",
    "https://$(get-token host:443)@github.com/org/agent.git",
    "https://<host>/path, and a:b@c",
    "https://robot:***@pypi.internal/simple",
    "https://***@pypi.internal/simple",
    "https://robot:xxxx@pypi.internal/simple",
    "https://robot:YOUR_TOKEN@pypi.internal/simple",
    "https://robot:your-password-here@pypi.internal/simple",
    "https://x-access-token:GITHUB_TOKEN@github.com/org/agent.git",
    "https://aws:...@domain.d.codeartifact.example/pypi/repo/simple/",
    "git+ssh://git@github.com/org/agent.git",
    "git@github.com:org/agent.git",
    "https://my-organisation@dev.azure.com/my-organisation/_git/agent",
    "https://pypi.org/simple/@scope",
    "https://registry.npmjs.org/@scope/name",
    "https://host/path?to=a:b@c",
    "http://admin:admin@localhost:9200",
    "http://admin:admin@127.0.0.1:9200",
    "http://admin:admin@[::1]:9200",
    // What a script of package.json does in a test.
    "psql postgres://postgres:postgres@db:5432/test",
    "://robot:hunter2@host",
  ])("is not found in %s", (text) => {
    expect(has(text)).toBe(false);
  });

  test("is found by its place, each of them", () => {
    const text = "a https://r:hunter2@h b http://user:password@h c git+https://r:hunter2@h";
    expect([...loginsIn(text)].map((at) => text.slice(at, at + 4))).toEqual(["://r", "://r"]);
  });

  test("is looked for in linear time", { tags: "slow" }, () => {
    for (const piece of [
      "://",
      "https://",
      "https://a:",
      "https://a@",
      "https://a:@",
      "https://eyJ-",
      "@",
      "x",
      ...HOSTILE,
    ]) {
      expect(has(piece.repeat(50_000))).toBe(false);
    }
    expect(has(`https://${"a".repeat(1_000_000)}:b@host`)).toBe(false);
  });
});

describe("a token", () => {
  test.each([
    token("sk-"),
    token("sk-proj-"),
    token("sk-ant-api03-"),
    token("hf_"),
    token("lsv2_pt_"),
    token("ghs_"),
    token("npm_"),
    token("pypi-"),
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "xoxb-" + "123456789012-abc",
    `Bearer ${token("gsk_")}`,
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "c2lnbmF0dXJl"].join("."),
    ["-----BEGIN RSA PRIVATE", "KEY-----"].join(" "),
  ])("of a known form is recognised: %s", (text) => {
    expect(holdsToken(text)).toBe(true);
  });

  test.each([
    "sk-",
    "sk-short",
    "task-force-one-two-three",
    "ghp_xxxxxxxxxxxxxxxxxxxx",
    "sk-your-key-goes-right-here",
    "gpt-4o",
  ])("is not seen in %s", (text) => {
    expect(holdsToken(text)).toBe(false);
  });

  test("is looked for in bounded time", () => {
    for (const piece of ["eyJ-", "sk-", "-", "SG.", "xoxb-"])
      expect(holdsToken(piece.repeat(500_000))).toBeTypeOf("boolean");
  });

  test("is no placeholder as long as it is one of letters and digits alone, without words", () => {
    const text = fc.stringMatching(/^[a-df-hj-np-z2-9]{16,40}$/);
    fc.assert(fc.property(text, (value) => !isPlaceholder(value)));
  });
});
