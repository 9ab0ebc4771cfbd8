import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { answered, scoring } from "./scoring.ts";

test("the example of a model as a judge gives points for an answer, and none where the model is down", async () => {
  const asked: { readonly key: string | undefined; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ key: request.headers.authorization, body });
      const verdict = { reason: "It leaves out the price.", points: 1 };
      if (body.includes("down")) response.writeHead(503).end();
      else response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(verdict) } }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const judge = { JUDGE_API_KEY: "key-of-the-judge", JUDGE_MODEL: "m-1", JUDGE_URL: `http://127.0.0.1:${port}/` };
  const env = { PATH: process.env["PATH"], ...judge };
  const definition = { command: "python3 judge.py", env: Object.keys(judge) };
  await using scorers = scoring({ helpful: definition }, { workspace: join(projectRoot, "examples/evaluation"), env });
  const row = { question: "How much?", facts: ["5 €"] };
  await expect(scorers.score(answered({ id: "a/0", row, output: "Not much." }))).resolves.toEqual([
    { key: "helpful", score: 0.5, comment: "It leaves out the price." },
  ]);
  await expect(scorers.score(answered({ id: "b/0", row, output: "down" }))).resolves.toEqual([
    { key: "helpful", missing: "the command gave nothing in place of a number from 0 to 1", isBroken: true },
  ]);
  expect(asked.map(({ key }) => key)).toEqual(["Bearer key-of-the-judge", "Bearer key-of-the-judge"]);
  expect(asked[0]?.body).toContain("Not much.");
});
