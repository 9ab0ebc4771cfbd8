import { expect, test } from "vitest";
import { runFacts } from "../../../front/steps/upload-experiment/inputs.ts";
import { FORMATS } from "../../../src/experiments/reading/formats.ts";
import { expectedFiles } from "../formats/expected-file.ts";
import { readAll } from "../formats/reading.ts";
import { fixtureFile } from "../formats/stored-file.ts";

const FILES = FORMATS.filter(({ name, takesMapping }) => !name.startsWith("native") && takesMapping !== true).flatMap(
  (format) => expectedFiles(format.name).map(([name]) => ({ format, name: `${format.name}/${name}` })),
);
const OF_THE_STEP = Object.keys(
  runFacts({
    ...{ commit: "c", ref: "r", pullRequest: 1, repository: "o/n", workflow: "w", job: "j", actor: "a" },
    ...{ url: "u", id: "1", attempt: 1 },
  }),
);

test.each(FILES)(
  "$name does not name the experiment: the next run would have the same name",
  { tags: "slow" },
  async ({ format, name }) => {
    const { run } = await readAll(format, fixtureFile(name));
    expect(run.name).toBeUndefined();
  },
);

test.each(FILES)("$name does not hide the run of the workflow behind its own", async ({ format, name }) => {
  const { run } = await readAll(format, fixtureFile(name));
  expect(Object.keys(run.metadata ?? {}).filter((key) => OF_THE_STEP.includes(key))).toEqual([]);
});
