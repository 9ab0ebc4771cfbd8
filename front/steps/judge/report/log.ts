import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { caseText, countTexts, listsOf, restOf } from "../../../../src/judgement/words/cases.ts";
import { metricCells, metricNotes, runText } from "../../../../src/judgement/words/metrics.ts";
import { annotationOf, errorsOf, outcomeText } from "../../../../src/judgement/words/outcomes.ts";
import { ENDINGS, endingOf, STATUSES } from "../../../../src/judgement/words/standing.ts";
import { countText } from "../../../../src/text/number.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { printFailure } from "../../../account/failure.ts";
import { Printer, type LogOptions } from "../../../account/printer.ts";
import type { Reporter } from "../../../account/reporters.ts";
import { ResultsLines } from "../../../account/results-lines.ts";
import { rowRemarks } from "../../../account/results-words.ts";
import type { JudgeEvent } from "../events.ts";
import { gateFaultLines, judgeFailure } from "./failure.ts";
import { baselineText, someOf } from "./account.ts";

const MOST_METRICS = 30;
// A runner keeps ten annotations of a type for each step; one is left for other writers in this step.
const MOST_ERRORS = 9;
// A longer rule does not push what was found out of sight.
const WIDEST_RULE = 48;

type Event<Type extends JudgeEvent["type"]> = Extract<JudgeEvent, { type: Type }>;

/** The log of a judgement: what was read, a line a metric, a line a rule, and last what it means. */
export class Log implements Reporter<JudgeEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #results: ResultsLines;
  #headline: string | undefined;

  constructor(options: LogOptions) {
    this.#print = new Printer(options);
    this.#results = new ResultsLines(this.#print);
  }

  report(event: JudgeEvent): void {
    switch (event.type) {
      case "reading":
        this.#results.soFar(event.file, event.rows, event.milliseconds);
        break;
      case "file-read":
        this.#results.fileRead(event.file);
        break;
      case "read":
        this.#read(event);
        break;
      case "judged":
        this.#judged(event);
        break;
      case "written":
        this.#print.line(TITLES[event.what], `${event.path}, ${bytesText(event.bytes)}`);
        break;
      case "warning":
        this.#print.warning(event.message);
        break;
      case "ended":
        this.#ended(event);
        break;
    }
  }

  #read({ results, milliseconds }: Event<"read">): void {
    this.#results.read(results, milliseconds);
    this.#print.items("Notes", rowRemarks(results));
  }

  #judged(shown: Event<"judged">): void {
    const { judgement, against } = shown;
    this.#print.line("Cases", runText(judgement.now));
    this.#print.line("Baseline", baselineText(shown));
    if (against.anchors.length > 0) this.#print.line("Anchor", someOf(against.anchors));
    this.#metrics(judgement);
    this.#rules(judgement);
    this.#print.lines(
      "Gaps",
      judgement.gaps.map(({ message }) => message),
    );
    this.#cases(judgement);
    this.#annotate(judgement);
    this.#headline = judgement.headline;
  }

  #metrics({ metrics, rules }: Judgement): void {
    const texts = metrics.map((metric) => {
      const { name, better, now, baseline, change, p, verdict } = metricCells(metric, rules);
      const parts = [
        now === "" ? "none" : now,
        baseline && `baseline ${baseline}`,
        change,
        p,
        verdict,
        `better: ${better}`,
      ];
      return `${name} ${parts.filter((part) => part !== "").join(" · ")}`;
    });
    const rest = texts.length - MOST_METRICS;
    this.#print.lines("Metrics", [
      ...texts.slice(0, MOST_METRICS),
      ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ]);
    if (rest > 0) this.#print.longGroup(`Metrics (${countText(texts.length)})`, texts);
    const notes = metrics.slice(0, MOST_METRICS).flatMap(metricNotes);
    this.#print.lines("", notes);
  }

  #rules({ rules }: Judgement): void {
    if (rules.length === 0) {
      this.#print.line("Rules", "none; nothing was judged");
      return;
    }
    const texts = rules.map(({ rule }) => this.#print.text.line(rule.text));
    const width = Math.min(WIDEST_RULE, Math.max(...texts.map(({ length }) => length)));
    this.#print.lines(
      "Rules",
      rules.map((outcome, index) => {
        return `${ENDINGS[endingOf(outcome)].mark} ${(texts[index] ?? "").padEnd(width)}  ${outcomeText(outcome)}`;
      }),
    );
  }

  #cases(judgement: Judgement): void {
    const lists = listsOf(judgement);
    this.#print.items("Changes", countTexts(lists));
    for (const list of lists) {
      const { title, cases, count } = list;
      const rest = restOf(list, cases.length);
      const more = rest > 0 ? [`and ${countText(rest)} more`] : [];
      this.#print.group(`${title} (${countText(count)})`, [...cases.map(caseText), ...more]);
    }
  }

  /** One annotation for each gap and each rule that does not hold; the lines above have those that no runner keeps. */
  #annotate(judgement: Judgement): void {
    if (STATUSES[judgement.status].isRed) {
      for (const { title, sentence, place } of errorsOf(judgement).slice(0, MOST_ERRORS)) {
        this.#print.error(title, sentence, place);
      }
    }
    for (const outcome of judgement.rules) {
      if (outcome.holds !== false || !outcome.rule.isWarning) continue;
      const { title, sentence, place } = annotationOf(outcome);
      this.#print.warning(sentence, { title, ...place });
    }
  }

  #ended({ error }: Event<"ended">): void {
    if (error === undefined) {
      if (this.#headline !== undefined) this.#print.line("Verdict", this.#headline);
      return;
    }
    printFailure(this.#print, judgeFailure(error), () => {
      this.#print.block(gateFaultLines(error));
    });
  }
}

const TITLES = { report: "Report", comment: "Comment", snapshot: "Snapshot", judgement: "Judgement" } as const;
