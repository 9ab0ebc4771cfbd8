import fc from "fast-check";
import { expect, test } from "vitest";
import { openaiEvals } from "../../../../src/experiments/formats/openai/evals.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { readAll } from "../reading.ts";
import { fixtureFile, storedFile } from "../stored-file.ts";

test("a sample of evals is there once its last event was read, and the same for every order of the events", async () => {
  const lines = fixtureFile("openai-evals/evals.jsonl").text.trimEnd().split("\n");
  const [spec = "", ...events] = lines;
  const wanted = (await readAll(openaiEvals, fixtureFile("openai-evals/evals.jsonl"))).rows.map(
    ({ place: _, ...row }) => row,
  );
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 4 })), async (picks) => {
      // Events of one sample keep their order, as in the file; samples mix.
      const queues = Map.groupBy(events, (line) => /"sample_id": "[^"]*"/.exec(line)?.[0] ?? "");
      const mixed = [spec];
      while (queues.size > 0) {
        const [key, queue] = [...queues][picks.next().value % queues.size] ?? ["", []];
        mixed.push(queue.shift() ?? "");
        if (queue.length === 0) queues.delete(key);
      }
      const { rows } = await readAll(openaiEvals, storedFile(`${mixed.join("\n")}\n`));
      const byId = (a: { id?: unknown }, b: { id?: unknown }) => (String(a.id) < String(b.id) ? -1 : 1);
      expect(rows.map(({ place: _, ...row }) => row).sort(byId)).toEqual(wanted.toSorted(byId));
    }),
    { numRuns: propertyRuns(0.25) },
  );
});
