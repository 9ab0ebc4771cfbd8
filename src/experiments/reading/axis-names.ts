import { wordsOfName } from "../formats/table/column-names.ts";

/** True for a name that a system goes by. */
export function isNamedAxis(name: string): boolean {
  return AXIS_WORDS.test(wordsOfName(name));
}

/**
 * False for numbers, verdicts, and for values that differ only in what numbers them: in a number, an ordinal, a day or an
 * id, unless the name says what they are.
 */
export function areNames(values: readonly string[], name: string): boolean {
  if (values.every((value) => VERDICT.test(value) || !/\p{L}/u.test(value))) return false;
  const stems = new Set(values.map((value) => value.toLowerCase().replaceAll(ID, "#").replaceAll(NUMBERING, "#")));
  return stems.size > 1 || isNamedAxis(name);
}

/** An id of hexadecimal digits, or a long one of letters and digits. */
const ID = /(?<![a-z\d])(?:(?=[a-f]*\d)[\da-f]{6,}|(?=(?:[a-z]*\d){4})[a-z\d]{12,})(?![a-z\d])/g;
const NUMBERING =
  /\d+|(?<![a-z])(?:first|second|third|fourth|fifth|last|one|two|three|four|five|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?![a-z])/g;

/** True for what a repetition is called, unless the name ends as that of a system. */
export function isTrialName(name: string): boolean {
  const words = wordsOfName(name);
  return TRIAL_WORDS.test(words) && !AXIS_WORDS.test(words);
}

/** True for what tells the scores of one answer apart. */
export function isScoreAxis(name: string): boolean {
  return SCORE_WORDS.test(wordsOfName(name));
}

// A name ends with what it is of: `model_output` is no model.
const AXIS_WORDS =
  /(?:^|_)(?:model|llm|prompt|retriever|reranker|embedder|embedding|provider|engine|agent|system|variant|template|strategy|arm|config|configuration|setup|pipeline)s?(?:_(?:name|id|version|type|kind|label|key|tag|slug))*$/;
/** What tells the scores of one answer apart, where each has a row. */
const SCORE_WORDS =
  /(?:^|_)(?:metric|measure|criterion|criteria|dimension|aspect|rubric|evaluator|evaluation|scorer|judge|grader|check|assertion|score)s?(?:_(?:name|id|type|kind|label|key|model))*$/;
/** What a repetition is called, where and when it ran, and who scored it. */
const TRIAL_WORDS =
  /(?:^|_)(?:trial|run|epoch|attempt|seed|sample|repetition|repeat|replicate|iteration|round|try|pass|session|job|host|worker|machine|date|day|time|timestamp|annotator|rater|reviewer|labeler|labeller)s?(?:_|$)/;
const VERDICT =
  /^(?:true|false|yes|no|y|n|pass|fail|passed|failed|correct|incorrect|ok|error|success|failure|hit|miss|none|null)$/i;
