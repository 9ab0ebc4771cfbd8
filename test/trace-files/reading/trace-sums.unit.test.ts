import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../property-runs.ts";
import { request, span, spanId } from "../otlp/spans.ts";
import { linesOf, readFiles, run, uuid } from "../read-files.ts";

const usage = (total_tokens: number) => ({ outputs: { usage_metadata: { total_tokens } } });
const below = (parent: number) => ({ parent_run_id: uuid(parent) });

/** What a run of a made tree states of its tokens, and where. */
interface Node {
  /** An earlier node; none for a root. */
  readonly parent: number | undefined;
  readonly tokens: number | undefined;
  readonly type: string;
}

describe("the tokens of a trace", () => {
  test("are counted at the type and the project of the run that counts", async () => {
    const { read } = await readFiles({
      "a.jsonl": linesOf([
        run(1, { ...usage(50), session_name: "one" }),
        run(2, { ...below(1), ...usage(20), run_type: "llm", session_name: "two" }),
        run(3, { ...below(1), ...usage(30), run_type: "tool" }),
      ]),
    });
    expect([...read.sums.types].map(([type, { tokens }]) => [type, tokens])).toEqual([
      ["chain", undefined],
      ["llm", 20],
      ["tool", 30],
    ]);
    expect(read.sums.sessions.map(({ session, tokens }) => [session.name, tokens])).toEqual([
      ["one", 30],
      ["two", 20],
    ]);
  });

  test(
    "are the sum of the children's, else the own, in any tree, in any order, as runs and as spans",
    { tags: "slow" },
    async () => {
      const node = fc.record({
        parent: fc.option(fc.nat(40), { nil: undefined }),
        tokens: fc.option(fc.constantFrom(0, 1, 7, 100, 926), { nil: undefined }),
        type: fc.constantFrom("chain", "llm", "tool", "embedding"),
      });
      const forest = fc.array(node, { minLength: 1, maxLength: 25 }).map((nodes) =>
        nodes.map(({ parent, ...one }, at) => {
          return { ...one, parent: at === 0 || parent === undefined ? undefined : parent % at };
        }),
      );
      await fc.assert(
        fc.asyncProperty(forest, fc.infiniteStream(fc.nat()), async (nodes, chance) => {
          const expected = sumOf(nodes);
          const order = nodes.map((_, at) => ({ at, key: chance.next().value ?? 0 })).sort((a, b) => a.key - b.key);
          const lines = order.map(({ at }) => runOf(nodes[at], at));
          const { read } = await readFiles({ "a.jsonl": linesOf(lines) });
          expect(read.sums.tokens).toBe(expected);
          const spans = await readFiles({
            "a.json": JSON.stringify(request(order.map(({ at }) => spanOf(nodes[at], at)))),
          });
          // A convention has no word for a number that is not known.
          expect(spans.read.sums.tokens ?? 0).toBe(expected ?? 0);
        }),
        { numRuns: propertyRuns(0.5) },
      );
    },
  );
});

/** By recursion from the roots; undefined where no node states a number. */
function sumOf(nodes: readonly Node[]): number | undefined {
  const of = (at: number): number => {
    const children = nodes.flatMap(({ parent }, child) => (parent === at ? [of(child)] : []));
    const sum = children.reduce((total, count) => total + count, 0);
    return sum > 0 ? sum : (nodes[at]?.tokens ?? 0);
  };
  if (nodes.every(({ tokens }) => tokens === undefined)) return undefined;
  return nodes.reduce((total, { parent }, at) => total + (parent === undefined ? of(at) : 0), 0);
}

function runOf({ parent, tokens, type }: Node = { parent: undefined, tokens: undefined, type: "chain" }, at: number) {
  const places = [
    usage(tokens ?? 0),
    { extra: { metadata: { usage_metadata: { input_tokens: tokens } } } },
    { total_tokens: tokens },
  ];
  const stated = tokens === undefined ? {} : places[(at + tokens) % places.length];
  return run(at, { run_type: type, ...stated, ...(parent === undefined ? {} : below(parent)) });
}

function spanOf({ parent, tokens }: Node = { parent: undefined, tokens: undefined, type: "chain" }, at: number) {
  const stated = tokens === undefined ? {} : { "gen_ai.usage.input_tokens": tokens };
  return span(at, stated, parent === undefined ? {} : { parentSpanId: spanId(parent) });
}
