import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { directionOf, isAmount } from "../../../src/judgement/cases/metric-names.ts";

const WRITINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", "."),
  (name) => name.replaceAll("_", " "),
  (name) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
  (name) => name.toUpperCase(),
  (name) => `judge1_${name}`,
];

const SEEN = ["yes/no", "share", "other"] as const;

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
    ...["errors_found_by_user", "cost_per_query", "latency_score"],
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
      expect([write(name), directionOf(write(name), "share")]).toEqual([write(name), "unsure"]);
  });

  test.each([
    ...["within_latency", "exact_match_tokens", "accuracy_error", "correct_cost", "not_correct", "without_success"],
    ...["toxicity_pass", "bleu_loss"],
  ])("the words of %s contradict each other", (name) => {
    for (const write of WRITINGS)
      expect([write(name), directionOf(write(name), "share")]).toEqual([write(name), "unsure"]);
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
    for (const write of WRITINGS)
      expect([write(name), directionOf(write(name), "share")]).toEqual([write(name), "lower"]);
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
      expect([write(name), directionOf(write(name), "share")]).toEqual([write(name), "higher"]);
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
    expect(directionOf(name, "share")).toBeUndefined();
  });

  test("no errors may be a number of errors, unless it is a share", () => {
    expect(directionOf("no_errors", "share")).toBe("higher");
    expect(directionOf("no_errors", "other")).toBe("unsure");
  });

  test("any text is read in time that grows with its length", { tags: "slow" }, () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("yes/no", "share", "other"),
        (name, seenAs) => void directionOf(name, seenAs),
      ),
    );
    expect(directionOf("retry_".repeat(50_000), "share")).toBe("unsure");
    expect(directionOf("a".repeat(300_000), "share")).toBeUndefined();
  });
});

const NAMES = {
  // What a time, a cost or a failure is said to be may be good.
  neverLower: `response_time_met response_time_sla response_time_score meets_latency low_latency low_cost below_latency
    under_cost under_tokens fits_tokens keeps_cost meets_cost acknowledges_error admits_mistakes explains_error
    reports_error surfaces_error spots_errors catch_exceptions expected_error throws_exception returns_error
    graceful_failure low_error few_errors fewer_errors minimal_errors rejecting_invalid didnt_fail didn't_fail
    hasnt_failed not_an_error no_more_errors`,
  unsure: `guardrail_hit rate_limit_hits reward_hacking reward_hack corrections_needed user_corrections self_bleu
    thumbs_down dislikes typos misuse tool_misuse off_topic off_brand out_of_scope guardrail_triggered secrets_exposed
    data_exfiltration injected asr sexism no_answer abstention_rate aborted killed restarts user_edits human_takeover
    needs_human interruptions evasive holes_ratio disparity regret flesch_kincaid_grade_level extra_fields
    unauthorized_action bypassed compromised flattery moderation_flagged clicks_to_complete reward_tampering
    empty_response refund_rate jitter low_accuracy failed_recovery incorrect_resolution accuracy_loss
    time_to_resolution time_to_failure meets_latency acknowledges_error response_time_score graceful_failure`,
  lower: `http_500 checkout_error_rate tool_errors parse_error json_parse_failure has_error is_wrong tests_failed
    answers_incorrect val_loss log_loss mean_absolute_error expected_calibration_error validation_error`,
  amounts: `total_usd llm_ms silence_ms db_seconds total_minutes llm_dollars p95_ms first_token_latency
    end_to_end_latency agent_cost openai_cost_usd prompt_tokens tts_latency_ms avg_checkout_cost`,
  higher: `refusal_accuracy refusal_correctness correct_refusal error_recovery error_handling issue_resolution
    issue_resolved problem_solved toxicity_f1 fraud_recall hallucination_detection_f1 violation_recall rank_correlation
    mean_reciprocal_rank jailbreak_resistance escalation_correct conflict_resolution hallucination_free error_free
    is-valid-openai-function-call not-is-refusal logprob_per_byte tokens_per_second out_of_domain_accuracy
    zero_shot_f1 low_resource_accuracy low_latency few_errors didnt_fail response_time_met hit_rate`,
  silent: `tool_calling_eval Multi-Turn_MCP_Use invoice_number phone_number issue_date tool_call function_call
    multi_turn error_type`,
};

function named(names: string): readonly string[] {
  return names.split(/\s+/);
}

describe("the words around a harm, a time or a cost decide what it says", () => {
  test.each(named(NAMES.neverLower))("less of %s is never taken as better", (name) => {
    for (const seen of SEEN) expect(directionOf(name, seen)).not.toBe("lower");
    // Between 0 and 1 more is the only other reading, or the direction has to be given.
    expect(["higher", "unsure"]).toContain(directionOf(name, "share"));
  });

  test.each(named(NAMES.unsure))("%s may mean both", (name) => {
    for (const seen of SEEN) expect([seen, directionOf(name, seen)]).toEqual([seen, "unsure"]);
  });

  test.each(named(NAMES.lower))("less of %s is better", (name) => {
    for (const seen of SEEN) expect([seen, directionOf(name, seen)]).toEqual([seen, "lower"]);
  });

  test.each(named(NAMES.amounts))("%s is an amount; of yes and no it is not known", (name) => {
    expect(SEEN.map((seen) => directionOf(name, seen))).toEqual(["unsure", "lower", "lower"]);
    expect(isAmount(name)).toBe(true);
  });

  test.each(named(NAMES.higher))("more of %s is better", (name) => {
    expect(SEEN.slice(0, 2).map((seen) => directionOf(name, seen))).toEqual(["higher", "higher"]);
  });

  test.each(named(NAMES.silent))("%s says nothing of a share", (name) => {
    expect(directionOf(name, "yes/no")).toBeUndefined();
    expect(directionOf(name, "share")).toBeUndefined();
  });

  test.each(["response_time_met", "response_time_score", "meets_latency", "low_latency", "latency_ok", "fits_tokens"])(
    "%s is not an amount",
    (name) => {
      expect(isAmount(name)).toBe(false);
    },
  );
});
