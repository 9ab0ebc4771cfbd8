const ENDINGS = words(`
    e en ed er or es ing ion ation ition ive eness edness ity ility ty y ies ied al ial iality ally able ability
    ible ful fulness fully ness iness ly ily ment age ance ence ancy ency ant ent ce cy t ate ated ory ous ousness
    ism ist ic iveness ativeness action actory d th ped ping ted ting ged ging led ling le ilities itiveness
  `).join("|");

/** Matches the words that begin with one of these stems and have a usual ending, and those that are alone. */
function forms(stems: string, alone: string): RegExp {
  return new RegExp(`^(?:(?:${words(stems).join("|")})(?:${ENDINGS})?s?|(?:${words(alone).join("|")})s?)$`, "u");
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
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
    csat dice em f fair fairness fast free gain good great hit iou kappa meteor mrr ndcg nps ok okay pass passed
    passing passes pearson psnr rating reasonable reasoning revenue right rouge saved saving sound spearman speedup
    ssim true uptime within won worked
  `,
);

/** How much there is of it: less of it is mostly better, and of some things more. */
const AMOUNT = forms(
  `
    attempt charg cost emission expens iteration latenc memor pric request spend token usage
  `,
  `
    amount bill budget byte call called calling carbon char character compute count cpu cycle delay depth disk
    duration effort elapsed energy expenditure fee gpu hop invocation length load lookup num number overhead query
    querie ram round rss runtime size spent step tco time tpot traffic trie ttft turn vram wait waiting watt word
    kosten dauer latenz coût cout durée duree costo coste custo durata demora retraso atraso duur
  `,
);

/** Harm, or a distance: in some tools the largest value is the worst, in others it means that there is none. */
const HARM = forms(
  `
    abandon abus alarm alert ambigu anomal attack bias bounc breach break brok cancel churn clash complain complaint
    conflict confus contradict controvers corrupt crash criminal danger decept deceiv defect degrad degenerat
    den(?:y|ie|ial) deviat differ discrepan discriminat diverg downgrad drift drop error escalat exceed exception
    excess exploit fabricat fail fallback fals fatal fault flak flaw forbid forg[eo]t fraud frustrat gibberish
    hallucinat handoff handover harass harm hate hedg ignor illicit incident injection insensitiv insult interven(?:e|tion)
    intrus invent issue jailbr(?:ea|o)k leak malform malicious misclassif mistak manipulat miss(?!ion) misogyn nois
    nonsens obscen offen[ds] omi(?:t|ss) outlier overrun overflow penal perplex phish plagiar pollut problem profan
    backlog bloat copyright cyclomatic complexit deduct demerit disallow downvot duplicat infring lateness
    levenshtein negativ nondetermin obsolet prohibit stale stress unanswer unhapp vague
    protected punish rambl redundan refus regress reject repeat repet retr(?:y|ie) revert rework risk rude
    sever(?!al) sexual skip slow slur spam stall stereotyp suicid suspic sycophan terror threat threaten throttl
    timeout toxi[cn] truncat uncertain verbos violat violen vulnerab warn wast weapon worr wors wrong fehler
    halluzination
  `,
  `
    anxiety attrition backoff ban banned burden cve dead debt nsfw oom overdue sad sadness smell ttfb
    anger angry bad blocked brier bug cer diff distance downtime dropout ece eer entropy entropie err fnr fpr gap
    garbage hang idle lack lag late lie loop loss losse lost mae malware mape mer mse nll outage pii poor ppl racism
    racist rank residual rmse rollback smape spread std stddev stdev stuck ter undo variance wer worst verstoß
    verstoss abbruch absturz widerspruch erreur échec echec errore fallo fuga queja erro falha fout
  `,
);

/** A good word that they turn into a harm: `unhelpful`, `inconsistent`, `disagreement`. */
const TURNED = /^(?:un|in|im|ir|il|dis|mis|non)(?=[a-z]{2})/;
/** What turns a harm around: `harmless`, `flawlessness`. */
const LESS = /less(?:ly|ness)?$/;
const MISTAKEN =
  /^mis(?!s|c|t)[a-z]{4,}|^over(?!all|lap|view|turn|sight$)[a-z]{4,}|^under(?!stand|l(?:y|ie)|writ)[a-z]{4,}/;

/** What a word of a metric's name says of more of it. */
export function saidBy(word: string): "amount" | "good" | "harm" | undefined {
  if (GOOD.test(word)) return "good";
  if (LESS.test(word) && HARM.test(word.replace(LESS, ""))) return "good";
  const turned = word.replace(TURNED, "");
  if (turned !== word && GOOD.test(turned)) return "harm";
  if (HARM.test(word) || MISTAKEN.test(word)) return "harm";
  return AMOUNT.test(word) ? "amount" : undefined;
}
