import { describe, expect, test } from "vitest";
import { bench, count, helpOf, names, number, UsageError } from "../../bench/options.ts";

const OPTIONS = {
  tree: names("one of the trees", ["small", "large"], ["small"]),
  rounds: count("rounds", 3),
  some: count("so many", undefined, { otherwise: "what fits" }),
  first: count("the first seed", 0, { least: 0 }),
  share: number("a share", 1, { least: 0.01, most: 1 }),
};
type Values = Parameters<Parameters<typeof bench<typeof OPTIONS>>[2]>[0];

async function valuesOf(...args: readonly string[]): Promise<Values | undefined> {
  let seen: Values | undefined;
  const { run } = bench("something", OPTIONS, async (values) => void (seen = values));
  await run(args);
  return seen;
}

describe("the options of a bench", () => {
  test("have their presets where nothing is given", async () => {
    expect(await valuesOf()).toEqual({ tree: ["small"], rounds: 3, some: undefined, first: 0, share: 1 });
  });

  test("are read as they are written, names several times and numbers the last time", async () => {
    const args = ["--tree", "large", "--tree=small", "--rounds", "7", "--rounds=8", "--some", "2", "--share", "0.5"];
    expect(await valuesOf(...args)).toEqual({ tree: ["large", "small"], rounds: 8, some: 2, first: 0, share: 0.5 });
  });

  test.each([
    [
      ["--nope"],
      '"--nope" is not an option of this bench. Its options are --tree, --rounds, --some, --first, --share and --help.',
    ],
    [["-r", "3"], '"-r" is not an option of this bench. '],
    [["small"], '"small" is not an option of this bench. '],
    [["--"], '"--" is not an option of this bench. '],
    [["--constructor", "1"], '"--constructor" is not an option of this bench. '],
    [["--rounds"], "--rounds needs a value."],
    [["--rounds", "0"], '--rounds takes a whole number from 1 up, not "0".'],
    [["--rounds", "1e3"], '--rounds takes a whole number from 1 up, not "1e3".'],
    [["--rounds", ""], '--rounds takes a whole number from 1 up, not "".'],
    [["--first", "-1"], '--first takes a whole number from 0 up, not "-1".'],
    [["--share", "2"], '--share takes a number from 0.01 to 1, not "2".'],
    [["--share", "half"], '--share takes a number from 0.01 to 1, not "half".'],
    [["--tree", "huge"], '--tree takes small or large, not "huge".'],
    [["--tree", "x".repeat(200)], '" (200 characters).'],
  ])("refuse %j in one sentence", async (args, sentence) => {
    const refused = valuesOf(...args);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });

  test("and the help are of one list", () => {
    const text = helpOf(
      "trees",
      bench(
        "trees",
        OPTIONS,
        async () => undefined,
        async () => [],
      ),
    ).join("\n");
    expect(text).toBe(
      [
        "npm run bench -- trees [options]",
        "",
        "Measures trees.",
        "",
        "  --tree NAME  one of the trees: small or large (default: small)",
        "  --rounds N   rounds (default: 3)",
        "  --some N     so many (default: what fits)",
        "  --first N    the first seed (default: 0)",
        "  --share N    a share (default: 1)",
        "  --short      measures the part of the nightly run, and nothing else",
        "  --help       prints this",
      ].join("\n"),
    );
  });
});
