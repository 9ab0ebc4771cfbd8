import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { withService, call, create, deployed, GITHUB_CREATE, IMAGE_CREATE, release, start } from "../caller.ts";
import { factsOf } from "../page-cards.ts";
import { projectTarball } from "../tarball.ts";

const pageOf = (deployment: { id: string }) => `/o/any/host/deployments/${deployment.id}`;

const SOURCE_FACTS = [
  ...["Source", "Repository", "Reference", "Commit", "Image", "Digest", "Archive", "SHA-256 of the archive"],
  "Configuration",
];

describe("what a deployment is made of", () => {
  const SHA = "0123456789abcdef0123456789abcdef01234567";
  const DIGEST = `sha256:${"ab".repeat(32)}`;

  test.each([
    [
      "an image by its digest",
      { ...IMAGE_CREATE, source_revision_config: { image_uri: `registry.example:5000/agent:1@${DIGEST}` } },
      { Source: "external_docker", Image: `registry.example:5000/agent:1@${DIGEST}`, Digest: DIGEST },
    ],
    [
      "an image by a tag",
      { ...IMAGE_CREATE, source_revision_config: { image_uri: "registry.example/agent:1" } },
      { Source: "external_docker", Image: "registry.example/agent:1" },
    ],
    [
      "a branch",
      GITHUB_CREATE,
      {
        Source: "github",
        Repository: "https://git.example/agent",
        Reference: "main",
        Commit: "unknown: the local service does not fetch repositories",
        Configuration: "graph.json",
      },
    ],
    [
      "a commit",
      {
        ...GITHUB_CREATE,
        source_config: { repo_url: "https://user:secret@git.example/agent" },
        source_revision_config: { ...GITHUB_CREATE.source_revision_config, repo_ref: SHA },
      },
      {
        Source: "github",
        Repository: "https://git.example/agent",
        Reference: SHA,
        Commit: SHA,
        Configuration: "graph.json",
      },
    ],
  ])("is shown on its page and on that of its revision: %s", async (_what, body, facts) => {
    const service = await start();
    const { id, latest_revision_id } = await create(service, body);
    for (const path of [pageOf({ id }), `${pageOf({ id })}/revisions/${latest_revision_id}`]) {
      const { text } = await call(service.url, "GET", path);
      const shown = Object.entries(factsOf(text)).filter(([name]) => SOURCE_FACTS.includes(name));
      expect(Object.fromEntries(shown)).toEqual(facts);
      expect(text).not.toContain("secret");
    }
  });

  withService("is the archive of the latest revision, with the digest of its bytes", async (service) => {
    const { id, revisionId } = await deployed(service);
    const older = projectTarball({ "graph.json": JSON.stringify({ graphs: { a: "./a.py:a" }, dependencies: ["."] }) });
    const next = await release(service, id, older);
    const page = factsOf((await call(service.url, "GET", pageOf({ id }))).text);
    expect(page["SHA-256 of the archive"]).toBe(createHash("sha256").update(older).digest("hex"));
    expect(page["Archive"]).toMatch(new RegExp(`^sources/${id}/`));
    const at = async (revision: string) =>
      factsOf((await call(service.url, "GET", `${pageOf({ id })}/revisions/${revision}`)).text);
    expect((await at(next))["SHA-256 of the archive"]).toBe(page["SHA-256 of the archive"]);
    expect((await at(revisionId))["SHA-256 of the archive"]).not.toBe(page["SHA-256 of the archive"]);
  });
});
