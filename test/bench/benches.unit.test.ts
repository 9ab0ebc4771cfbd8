import { expect, test } from "vitest";
import { BENCHES } from "../../bench/benches.ts";
import { helpOf } from "../../bench/options.ts";

test.each([...BENCHES])("%s says what it measures and what each of its options does", async (name, load) => {
  const bench = await load();
  const help = helpOf(name, bench).join("\n");
  expect(help).toMatch(/^npm run bench -- \S+ \[options\]\n\nMeasures .+\.\n\n/);
  for (const option of Object.keys(bench.options))
    expect(help).toMatch(new RegExp(`^ {2}--${option} \\S+ +\\S.* \\(default: .+\\)$`, "m"));
  // Before anything is measured.
  await expect(bench.run(["--nope"])).rejects.toThrow(
    /^"--nope" is not an option of this bench\. Its options are .*--help\.$/,
  );
});
