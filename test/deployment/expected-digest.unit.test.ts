import { describe, expect, test } from "vitest";
import { digestFault } from "../../src/deployment/expected-digest.ts";

const A = `sha256:${"a".repeat(64)}`;
const B = `sha256:${"b".repeat(64)}`;
const image = (imageUri: string) => ({ source: "external_docker", imageUri }) as const;

describe("the expected digest", () => {
  test.each([
    [A, undefined],
    [B, `is ${B}, but the image has ${A}`],
    ["a".repeat(64), "is not `sha256:` with 64 hex digits in lower case"],
    [A.toUpperCase(), "is not `sha256:` with 64 hex digits in lower case"],
  ])("%s against an image by its digest", (expected, fault) => {
    expect(digestFault(image(`registry.example/agent:1@${A}`), expected)).toBe(fault);
  });

  test.each(["registry.example/agent", "registry.example/agent:1", `registry.example/agent@${A}0`, A])(
    "proves nothing of the image %s",
    (uri) => {
      expect(digestFault(image(uri), A)).toContain("needs an image by its digest");
    },
  );

  test("proves nothing of a repository or an earlier revision", () => {
    expect(digestFault({ source: "github", repoRef: "main", graphConfig: "graph.json" }, A)).toContain("cannot be");
    expect(digestFault({ source: "revision", revision: "previous" }, A)).toContain("cannot be proved");
  });
});
