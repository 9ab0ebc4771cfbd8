import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { StreamHash } from "../../../src/source/archive/stream-hash.ts";

// More than a thread is given before the first of them comes back.
const BLOCKS = Array.from({ length: 40 }, (_, index) => Buffer.alloc((index % 5) * 100_000 + 1, index));

describe("the hash of a stream", () => {
  test.each([
    ["in a thread", 1],
    ["without one", Infinity],
  ])("is that of its blocks in their order: %s", async (_where, threadBytes) => {
    await using hash = new StreamHash({ threadBytes });
    hash.expect(BLOCKS.length);
    const whole = createHash("sha256");
    for (const content of BLOCKS) {
      whole.update(content);
      const block = hash.lend();
      await hash.update(block.subarray(0, content.copy(block)));
    }
    expect(await hash.hex()).toBe(whole.digest("hex"));
  });

  test("needs no thread where Node permits none", { tags: "slow" }, async () => {
    const source = pathToFileURL(join(import.meta.dirname, "../../../src/source/archive/stream-hash.ts")).href;
    const code = `const { StreamHash } = await import("${source}");
      const hash = new StreamHash({ threadBytes: 1 });
      hash.expect(1);
      await hash.update(hash.lend().fill(7));
      console.log(await hash.hex());`;
    const args = ["--permission", "--allow-fs-read=*", "--disable-warning=SecurityWarning"];
    const { stdout } = await promisify(execFile)(process.execPath, [...args, "--input-type=module", "-e", code]);
    await using hash = new StreamHash();
    await hash.update(hash.lend().fill(7));
    expect(stdout.trim()).toBe(await hash.hex());
  });
});
