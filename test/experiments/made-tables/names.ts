import type { Chance } from "./table.ts";

const CASE_WORDS = ["question", "query", "prompt", "input", "user_input", "instruction", "problem", "request"] as const;
const MAKERS = ["model", "llm", "bot", "generated", "final", "predicted", "actual"] as const;
const RIGHT = ["correct", "right", "gold", "true", "reference", "expected", "ideal"] as const;
const SAID = ["answer", "response", "output", "text", "reply"] as const;
const SCORES = [
  ...["score", "accuracy", "exact_match", "f1", "faithfulness", "correctness", "relevance", "answer_relevancy"],
  ...["rouge_l", "bleu", "helpfulness", "toxicity", "similarity", "judge_score", "confidence_score", "rating"],
  ...["context_precision", "semantic_similarity", "Answer Correctness", "recall"],
] as const;
const COUNTED = ["contexts", "docs", "tools", "hops", "calls", "chunks", "retries", "sentences", "facts"] as const;
const OTHER_NUMBERS = [
  ...["ruleid", "query_run", "answer_length", "http_status", "tstamp", "port", "doc_pos", "shard", "level", "slot"],
  ...["chunk_number", "retry_count", "word_count", "release", "build", "Seite", "priority", "age", "zip", "tier"],
] as const;
const UNKNOWN = ["zorb", "quux", "kappa_x", "Punkte", "valeur", "mesure_b", "оценка", "得点", "nota"] as const;
const FOREIGN = {
  inputs: ["Frage", "utt", "Customer wrote", "pregunta", "text a"],
  outputs: ["Bot said", "Antwort", "agent says", "text b"],
} as const;

/** Camel case, blanks and other spellings of one name. */
function spelt(name: string, chance: Chance): string {
  const words = name.split("_");
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  switch (chance.below(5)) {
    case 0:
      return words.map((word, at) => (at === 0 ? word : capital(word))).join("");
    case 1:
      return words.map(capital).join(" ");
    case 2:
      return words.join("-");
    default:
      return name;
  }
}

/** Names of columns by what they are. */
export const names = {
  inputs: (chance: Chance) => spelt(chance.of(CASE_WORDS), chance),
  outputs: (chance: Chance) => {
    const plain = chance.is(0.4) ? chance.of(["output", "response", "completion", "prediction", "answer"]) : undefined;
    return spelt(plain ?? `${chance.of(MAKERS)}_${chance.of(SAID)}`, chance);
  },
  expected: (chance: Chance) => {
    const plain = chance.is(0.4) ? chance.of(["expected", "ground_truth", "reference", "target", "gold"]) : undefined;
    return spelt(plain ?? `${chance.of(RIGHT)}_${chance.of(SAID)}${chance.is(0.2) ? "s" : ""}`, chance);
  },
  foreign: (chance: Chance, role: "inputs" | "outputs") => chance.of<string>(FOREIGN[role]),
  id: (chance: Chance) =>
    spelt(chance.of(["id", "case_id", "example_id", "task_id", "question_id", "prompt_id", "query_id", "qid"]), chance),
  score: (chance: Chance) => chance.of(SCORES),
  unknown: (chance: Chance) => chance.of(UNKNOWN),
  number: (chance: Chance) => {
    if (chance.is(0.6)) return spelt(chance.of(OTHER_NUMBERS), chance);
    const counted = chance.of(COUNTED);
    return spelt(chance.of([`num_${counted}`, `n_${counted}`, `${counted}_count`, `number_of_${counted}`]), chance);
  },
  axis: (chance: Chance) =>
    spelt(chance.of(["model", "prompt_version", "retriever", "variant", "config", "llm"]), chance),
  repetition: (chance: Chance) => chance.of(["repetition", "trial", "epoch", "attempt"]),
} as const;
