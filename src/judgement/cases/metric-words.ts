const ENDINGS = words(`
  e en ed er or es ing ion ation ition ive eness edness ity ility ty y ies ied al ial iality ally able ability ible ful
  fulness fully ness iness ly ily ment age ance ence ancy ency ant ent ce cy t ate ated ory ous ousness ism ist ic
  iveness ativeness action actory d th ped ping ted ting ged ging led ling le ilities itiveness
`).join("|");

/** Matches the words that begin with one of these stems and have a usual ending, and those that are alone. */
function forms(stems: string, alone: string): RegExp {
  return new RegExp(`^(?:(?:${words(stems).join("|")})(?:${ENDINGS})?s?|(?:${words(alone).join("|")})s?)$`, "u");
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function setOf(text: string): ReadonlySet<string> {
  return new Set(words(text));
}

/** Where more of it is better. */
const GOOD = forms(
  `
    accept accura achiev adequa adher agree align appropriat benefi clarity coheren complet complian
    comprehen(?:s|d) concis confiden conform consisten correct correlat effective efficien empath engag exact
    excellen factual faithful fluen follow friendl fulfil ground help honest improv informative legib match natural
    overlap perfect polite precis professional profit quality readab recall recover relevan reliab resolv resolution
    reward robust safe satisf secur similar solv stabl stabil succe(?:ss|ed) sufficien support throughput timel
    transparen trust truth useful valid win
  `,
  `
    auc auprc auroc available availability bertscore best better bleu bleurt chrf clean clear comet coverage covered
    csat dice em f fair fairness fast free gain good great hit iou kappa logprob met meteor mrr ndcg nps ok okay pass
    passed passing passes pearson proper properly psnr qps rating reasonable reasoning revenue right rouge rps saved
    saving sound spearman speedup ssim tps true uptime within won worked
  `,
);

/** How much there is of it: less of it is mostly better, and of some things more. */
const AMOUNT = forms(
  `
    attempt charg cost emission expens iteration latenc memor pric request spend token usage
  `,
  `
    amount bill budget byte calls carbon chars characters clicks compute count cpu cycle delay depth disk duration edits
    effort elapsed energy expenditure fee gb gib gpu hops invocations kb length load lookups mb mib messages overhead pause
    queries ram rounds rss runtime size spent steps tco time tpot traffic tries ttft turns vram wait waiting watt words
    kosten dauer latenz coût cout durée duree costo coste custo durata demora retraso atraso duur
  `,
);

/** Harm, or a distance: in some tools the largest value is the worst, in others it means that there is none. */
const HARM = forms(
  `
    abandon abort abstain abstention abus alarm alert ambigu anomal apolog attack backlog bias blackmail bloat
    bounc breach break brok bypass cancel censor cheat churn clash coerc collu complain complaint complexit
    compromis confabul conflict confus contaminat contradict controvers copyright corrupt crash criminal
    cyclomatic danger deceiv decept deduct defect degenerat degrad demerit den(?:y|ie|ial) desync deviat differ
    disallow disclaim disconnect discrepan discriminat dislik dispar diverg downgrad downvot drift drop duplicat
    error escalat evas exceed exception excess exfiltrat exploit expos fabricat fail fallback fals fatal fault
    fehler flagg flak flatter flaw forbid forg[eo]t fraud frustrat gibberish hack hallucinat halluzination
    handoff handover harass hardcod harm hate hedg hesit hijack hole hotfix ignor illicit incident infring
    inject insensitiv insult interrupt interven(?:e|tion) intrus invent issue jailbr(?:ea|o)k kill lateness leak
    levenshtein malform malicious manipulat memori[sz] miscalibrat misclassif misogyn miss(?!ion) mistak misus
    negativ nois nondetermin nonsens obscen obsolet offen[ds] omi(?:t|ss) outlier overflow overrun penal perplex
    phish plagiar poison pollut problem profan prohibit protected punish pushback rambl redundan refund refus
    regress regret reject reopen repeat repet restart retr(?:y|ie) revert rework risk rude sabotag sandbag
    scheming sever(?!al) sexual skip slow slur spam spoof stale stall stereotyp stress suicid suspic sycophan
    sycophant takeover talkover tamper terror threat threaten throttl timeout toxi[cn] trigger truncat typo
    unanswer unauthori[sz] uncertain undesir unexpect ungrammatic unhandl unhapp unnecessar unsolicit unsubscrib
    unwant vague verbos violat violen vulnerab warn wast weapon wordy worr wors wrong
  `,
  `
    abbruch absturz anger angry anxiety asr attrition backoff bad ban banned barge blank blocked brier bug
    burden cer chamfer chargeback correction curse cursing cve dead debt diff distance divergence downtime
    dropout dtw ece echec eer empty entropie entropy err erreur erro errore escape escaped exfil extra falha
    fallo fid filler fixme flips fnr fout fpr fuga fvd gaming gap garbage hamming hang hostile idle jitter
    kincaid kl lack lag late leetspeak lie loop loss losse lost mae malware mape mer mse nan needed nll nsfw
    null off offtopic oom outage overdue pii pointless poor ppl queja racism racist rank rant residual rmse
    rollback sad sadness secret sexism sexist smape smell spread std stddev stdev stolen stuck surprisal swear
    swearing ter too toxic ttfb undo useless variance verstoss verstoß wasserstein wer widerspruch worst échec
  `,
);

/** A good word that they turn into a harm: `unhelpful`, `inconsistent`, `disagreement`. */
const TURNED = /^(?:un|in|im|ir|il|dis|mis|non)(?=[a-z]{2})/;
/** What turns a harm around: `harmless`, `flawlessness`. */
const LESS = /less(?:ly|ness)?$/;
const MISTAKEN =
  /^mis(?!s|c|t)[a-z]{4,}|^over(?!all|lap|view|turn|sight$)[a-z]{4,}|^under(?!stand|l(?:y|ie)|writ)[a-z]{4,}/;
const CORRECTION = /^corrections?$/;

export function isTurned(word: string): boolean {
  return !GOOD.test(word) && GOOD.test(word.replace(TURNED, ""));
}

export type Said = "amount" | "good" | "harm";

/** What a word of a metric's name says of more of it. */
export function saidBy(word: string): Said | undefined {
  if (CORRECTION.test(word)) return "harm";
  if (GOOD.test(word)) return "good";
  if (LESS.test(word) && HARM.test(word.replace(LESS, ""))) return "good";
  if (isTurned(word) || FAILURES.has(word) || HARM.test(word) || MISTAKEN.test(word)) return "harm";
  return AMOUNT.test(word) || UNITS.has(word) ? "amount" : undefined;
}

/** Some words that mean together what one word of the lists means. */
const PHRASES: readonly (readonly [RegExp, string])[] = (
  [
    ["expected calibration error", "ece"],
    ["log loss|logloss|cross entropy|bits per (?:byte|character|token)", "loss"],
    ["(wer|cer|ter|mer|eer|mae|mse|msle|rmse|rmsle|nrmse|mape|smape|ece|brier) score", "$1"],
    ["timed out", "timeout"],
    ["false (?:positives?|negatives?)", "fpr"],
    ["(?:hallucinations?|toxicity|violations?) (rate|count)", "failure $1"],
    ["(failed|incorrect|wrong|invalid) (?:answer|assertion|call|case|check|claim|output|step|test)s?", "$1"],
    ["response times?", "latency"],
    ["reciprocal rank", "mrr"],
    ["rank correlation", "correlation"],
    [
      "(?:tokens?|words|characters|requests|queries|items|samples|rows|documents|pages) per (?:second|sec|s|minute|min|hour)",
      "throughput",
    ],
    ["zero shot|one shot|few shot", "shot"],
    ["thumbs? up", "good"],
    ["thumbs? down", "downvote"],
    ["no (?:answers?|ans|response)", "abstention"],
    ["end to end|e2e", "overall"],
    ["needs? human", "handoff"],
    ["self bleu", "duplicates"],
    ["out of(?! (?:\\d+|ten|five)(?= ))", "off"],
    ["http [45]\\d\\d|http [45]xx", "error"],
    ["(?:guardrail|limit|quota|filter|blocklist)s? hits?", "blocked"],
  ] as const
).map(([phrase, word]) => [new RegExp(`(?<= )(?:${phrase})(?= )`, "gu"), word]);

export function withoutPhrases(all: readonly string[]): readonly string[] {
  const text = PHRASES.reduce((left, [phrase, word]) => left.replaceAll(phrase, word), ` ${all.join(" ")} `);
  return text.split(" ").filter((word) => word !== "");
}

/** Statistics, and parts of a whole, that may follow a name without a change of its direction. */
export const STATISTICS = setOf("count total avg average mean median max min sum s");
export const SHARES = setOf("rate ratio percent pct percentage fraction proportion");
/** At the end of a name, of a time or of money. */
export const UNITS = setOf(`
  ms milliseconds sec secs seconds minutes mins hours usd eur gbp dollars cents euros
`);
export const MEASURED = setOf("latency latencies duration durations cost costs tokens token elapsed ttft");
/** What is counted, or is 1, where something went wrong. */
export const FAILURES = setOf(`
  error errors errored exception exceptions mistake mistakes defect defects crash crashed crashes timeout timeouts fail
  fails failed failure failures incorrect incorrectness inaccurate wrong invalid fpr fnr divergence loss nll perplexity
  ppl wer cer ter mer eer mae mse msle rmse rmsle nrmse mape smape ece brier
`);
/** They follow what failed: `tests_failed`. */
export const FAILED = setOf("failed errored crashed incorrect wrong timeout");
/** Before a failure, a time or a cost they say whose it is. Of other words, as in `admits_error`, that is not known. */
export const PLAIN = setOf(`
  a absolute agent all any api arithmetic answer assertion assistant avg average backend binary bot calibration call case
  usage char character check claim client code compilation compile compiler count database db decode dev embedding eval
  evaluation example exec execution field first format formatting frontend function generation grader grammar had has have http
  import in input inference is item js json judge kl lint llm logic logical math max mean median message min model network
  normalised normalized num number of output overall parse parser parsing percentage phoneme prediction process program
  prompt query question reasoning reconstruction regression relative request response retrieval retriever root row run
  runtime sample schema search sentence server spelling sql square squared standard step sum symmetric syntax system task
  test the token tokens tool total train training translation type user val validation value was word words yaml
  completion cached cache
`);
/** They turn the next word around: `not_failed`, `low_accuracy`. The second are of a number above 1: still some. */
export const NEGATIONS = setOf(`
  not never non without zero inverse cannot isnt arent wasnt didnt doesnt dont hasnt havent hadnt wont cant couldnt
`);
export const QUANTIFIERS = setOf("no low lower lowest few fewer less least little minimal");
/** They stand between a negation and its word. */
export const FILLERS = setOf("a an any is more be been the has have");

/** What may be good about a failure, a time or a cost: `rejects_invalid`, `graceful_failure`, `fits_tokens`. */
export const DEEDS = forms(
  `
    acknowledg admit admi(?:t|ss) anticipat avoid catch caught detect diagnos expect explain expla fit fix flag found
    find grace handl hold identif keep limit maintain mention notic prevent rais recogni[sz] recover reduc reject repair
    report respect return sav show spot stay surfac tak throw toler trim under below beat meet control optimi[sz] hono
    honou cut catche intend plann simulat inject deliberat
  `,
  "small short shorter quick quicker cheap cheaper bound bounded capped by from than threw thrown told",
);

/** In `pass_fail` and `correct_or_wrong` 1 is the first of the two. */
export const EITHER =
  /(?:^| )(?:pass|passed|success|correct|right|valid|ok|win)(?: or| vs)? (?:fail|failed|failure|incorrect|wrong|invalid|loss)$/;
/** As the last word they say that more is better, whatever it is about: `error_recovery`, `toxicity_f1`. */
export const HEADS = setOf(`
  accuracy auc auprc auroc correct correctly correctness correlation f f1 free handling handled kappa mcc met ok precision
  prevention quality prevented avoided avoidance recall recovered recovery resilience resistance resolution resolved robustness
  solved fixed mrr ndcg
`);
/** What is wrong with the last word: `failed_recovery`. */
export const DEFECTS = setOf(`
  failed fail failing wrong bad poor slow late missing missed false invalid broken lost worse worst weak partial
`);
/** As its first word they say that a harm was in its place: `correct_refusal`. */
export const IN_PLACE = setOf("correct correctly appropriate appropriately proper properly justified right warranted");
/** Fields of what is extracted, where 1 says that it is as expected: `issue_date`. */
export const FIELDS = setOf("date number id name address type category phone email currency city country");
/** What follows them says of what, or how it was measured: `time_to_success`, `recovery_from_errors`. */
export const LINKS = setOf("to per of for from until till by before without against in on under at");
