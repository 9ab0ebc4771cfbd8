const OWNERS_OF_OUTPUT = ["model", "llm", "bot", "generated", "final", "predicted", "actual"];
const OWNERS_OF_EXPECTED = ["correct", "right", "gold", "true", "ground_truth", "reference", "ideal"];
const TEXTS = ["answer", "response", "output", "text", "reply"];

function composed(owners: readonly string[], texts: readonly string[]): readonly (readonly string[])[] {
  return owners.flatMap((owner) => texts.map((text) => [`${owner}_${text}`]));
}

/** What the model wrote, such as `bot_reply`: each a line of its own. */
export const COMPOSED_OUTPUTS = composed(OWNERS_OF_OUTPUT, TEXTS);

/** What it should have written, such as `correct_answers`; names with `expected_` are known by how they begin. */
export const COMPOSED_EXPECTED = composed(
  OWNERS_OF_EXPECTED,
  TEXTS.flatMap((text) => [text, `${text}s`]),
);

/** What was expected where the same stands beside it with `predicted_`. */
export const COMPOSED_ACTUAL = composed(["actual"], TEXTS);
