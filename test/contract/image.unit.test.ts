import { expect, test } from "vitest";
import { floatingImage, readImageReference } from "../../src/contract/image.ts";

const SHA256 = `sha256:${"0a".repeat(32)}`;
const SHA512 = `sha512:${"0a".repeat(64)}`;

test.each([
  ["agent", undefined, undefined, "no tag"],
  ["team/agent", undefined, undefined, "no tag"],
  ["registry.example:5000/agent", undefined, undefined, "no tag"],
  ["registry.example:5000/team/agent:latest", "latest", undefined, "the tag `latest`"],
  ["agent:latest", "latest", undefined, "the tag `latest`"],
  ["registry.example:5000/agent:1.4.2", "1.4.2", undefined, undefined],
  ["[fd00::1]:5000/agent", undefined, undefined, "no tag"],
  ["[fd00::1]:5000/agent:1", "1", undefined, undefined],
  ["agent:latest-but-one", "latest-but-one", undefined, undefined],
  [`registry.example:5000/agent@${SHA256}`, undefined, SHA256, undefined],
  [`registry.example/agent:latest@${SHA256}`, "latest", SHA256, undefined],
  [`agent@${SHA512}`, undefined, SHA512, undefined],
  // What only looks like a digest names nothing for ever.
  [`agent@${SHA256}0`, undefined, undefined, "no tag"],
  ["agent@sha256:abc", undefined, undefined, "no tag"],
  ["agent:1@latest", "1", undefined, undefined],
])("%s", (uri, tag, digest, floats) => {
  expect(readImageReference(uri)).toEqual({ tag, digest });
  if (floats === undefined) expect(floatingImage(uri)).toBeUndefined();
  else expect(floatingImage(uri)).toContain(`has ${floats}`);
});
