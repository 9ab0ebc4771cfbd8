import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { directionOf } from "../../../src/judgement/cases/metric-names.ts";

const WRITINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", "."),
  (name) => name.replaceAll("_", " "),
  (name) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
  (name) => name.toUpperCase(),
  (name) => `judge1_${name}`,
];

describe("what the name of a metric says of its direction", () => {
  // A word of harm, of an amount or of a distance: nothing tells whether 1 is the worst.
  test.each([
    ...[
      "contradiction",
      "contradictions",
      "contradicted",
      "leak",
      "pii_leak",
      "leakage",
      "miss",
      "misses",
      "missed",
      "miss_rate",
    ],
    ...[
      "retries",
      "retry_rate",
      "retried",
      "steps",
      "num_steps",
      "step_count",
      "price",
      "total_price",
      "runtime",
      "memory",
    ],
    ...["memory_mb", "fallback", "fallbacks", "fallback_rate", "complaints", "malformed", "malformed_json", "refusals"],
    ...[
      "hallucinations",
      "hallucination_score",
      "omissions",
      "escalations",
      "handoffs",
      "turns",
      "tool_calls",
      "attempts",
    ],
    ...[
      "iterations",
      "word_count",
      "length",
      "delay",
      "time",
      "execution_time",
      "drift",
      "variance",
      "entropy",
      "conflicts",
    ],
    ...["inconsistency", "irrelevance", "unhelpful", "unfaithfulness", "disagreement", "overconfidence", "mismatch"],
    ...[
      "redundancy",
      "verbosity",
      "truncated",
      "repetition_penalty",
      "bugs",
      "warnings",
      "issues",
      "spam",
      "abandonment",
    ],
    ...["errors_found_by_user", "cost_per_query", "tokens per second", "latency_score", "error_handling"],
    ...[
      "jailbreak_success",
      "time_to_resolution",
      "cost_of_success",
      "tokens_per_success",
      "duplicates",
      "stale_answers",
    ],
    ...["negative_feedback", "complexity", "off_by_distance", "unreliable", "vulnerabilities", "interventions"],
    ...["fehler", "kosten", "dauer", "erreurs", "coût", "durée", "retraso"],
  ])("%s may mean both", (name) => {
    for (const write of WRITINGS)
      expect([write(name), directionOf(write(name), true)]).toEqual([write(name), "unsure"]);
  });

  test.each([
    ...["within_latency", "exact_match_tokens", "accuracy_error", "correct_cost", "not_correct", "without_success"],
    ...["error_free", "error_recovery", "toxicity_pass", "bleu_loss"],
  ])("the words of %s contradict each other", (name) => {
    for (const write of WRITINGS)
      expect([write(name), directionOf(write(name), true)]).toEqual([write(name), "unsure"]);
  });

  test.each([
    ...[
      "latency_ms",
      "cost_usd",
      "input_tokens",
      "error_rate",
      "failures",
      "perplexity",
      "wer",
      "rmse",
      "response_time",
    ],
    ...["word_error_rate", "hallucination_rate", "false_positives"],
  ])("less of %s is better", (name) => {
    for (const write of WRITINGS) expect([write(name), directionOf(write(name), true)]).toEqual([write(name), "lower"]);
  });

  test.each([
    ...["accuracy", "answer_relevancy", "answer_correctness", "faithfulness", "context_precision", "context_recall"],
    ...[
      "groundedness",
      "helpfulness",
      "coherence",
      "fluency",
      "conciseness",
      "completeness",
      "similarity",
      "exact_match",
    ],
    ...[
      "bleu",
      "rouge_l",
      "bert_score_f1",
      "pass_rate",
      "success",
      "win_rate",
      "hit_rate",
      "tool_call_accuracy",
      "csat",
    ],
    ...["schema_valid", "json_validity", "politeness", "safety", "harmlessness", "instruction_following", "token_f1"],
    ...["step_success_rate", "mrr", "ndcg", "task_completion", "factual_correctness", "not_leaked", "non_toxic"],
  ])("more of %s is better", (name) => {
    for (const write of WRITINGS)
      expect([write(name), directionOf(write(name), true)]).toEqual([write(name), "higher"]);
  });

  test.each([
    ...[
      "score",
      "tone",
      "judge",
      "overall",
      "a",
      "style",
      "mission",
      "several",
      "harmony",
      "country",
      "latent",
      "understanding",
    ],
    ...[
      "overlay",
      "miscellaneous",
      "message",
      "discover",
      "index",
      "interview",
      "noun",
      "qualität",
      "正確さ",
      "s",
      "p95",
      "",
    ],
  ])("%s says nothing", (name) => {
    expect(directionOf(name, true)).toBeUndefined();
  });

  test("no errors may be a number of errors, unless it is a share", () => {
    expect(directionOf("no_errors", true)).toBe("higher");
    expect(directionOf("no_errors", false)).toBe("unsure");
  });

  test("any text is read in time that grows with its length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (name, isShare) => void directionOf(name, isShare)),
    );
    expect(directionOf("retry_".repeat(50_000), true)).toBe("unsure");
    expect(directionOf("a".repeat(300_000), true)).toBeUndefined();
  });
});
