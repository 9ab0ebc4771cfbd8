import { BestEffort } from "../github/best-effort.ts";
import { postTo } from "../github/comment/comment-work.ts";
import { fairSize, fitLines, leftOutNote } from "../github/comment/fitting.ts";
import { makeSection, type Section } from "../github/comment/section.ts";
import { SIGNS, type Sign } from "../../front/account/brief.ts";
import type { Surroundings } from "../../front/steps/run-step.ts";
import { defuseMarkdown } from "./foreign-markdown.ts";
import type { CommentInputs } from "./inputs.ts";
import type { CommentEvent } from "./report.ts";

const MOST_CHARACTERS = 50_000;

/** Posts the files as one section. What GitHub refuses is a warning. */
export async function carryOut(
  inputs: CommentInputs,
  { redactor, signal, emit, clock, random }: Surroundings<CommentEvent>,
): Promise<void> {
  const section = sectionOf(inputs, clock.date(), (text) => redactor.text(text));
  emit({ type: "section", section, files: inputs.texts.length });
  const { github } = inputs;
  if (github) {
    const bestEffort = new BestEffort((message) => {
      emit({ type: "warning", message });
    });
    const posted = await bestEffort.attempt("The comment on the pull request", () =>
      postTo(github, () => section, { redactor, signal, clock, random }),
    );
    signal.throwIfAborted();
    if (posted) emit({ type: "posted", ...posted });
  }
  emit({ type: "ended", error: undefined });
}

function sectionOf({ texts, links, key, run }: CommentInputs, at: Date, redact: (text: string) => string): Section {
  const parts = texts.map((text) => defuseMarkdown(redact(text), links)).filter((text) => text !== "");
  const most = fairSize(
    parts.map(({ length }) => length),
    MOST_CHARACTERS,
  );
  const text = parts
    .map((part) => {
      const { text: shown, left } = fitLines(part, Math.min(most, MOST_CHARACTERS));
      return left === 0 ? shown : `${shown}\n\n${leftOutNote(left)}`;
    })
    .join("\n\n");
  const { id = "0", attempt = 1, commit } = run;
  const heads = texts.map(headOf).filter((head) => head !== undefined);
  const worst = ORDER.flatMap((sign) => heads.filter((head) => head.sign === sign))[0];
  const rest = heads.length - 1;
  const state = worst ? `${worst.state}${rest > 0 ? ` and ${String(rest)} more` : ""}` : "posted";
  const facts = { kind: "report", key, name: key, sign: worst?.sign ?? "neutral", state: redact(state) } as const;
  return makeSection({ ...facts, run: id, attempt, at, commit }, text);
}

const ORDER: readonly Sign[] = ["bad", "warning", "gone", "neutral", "good"];

/** The first heading, which in all reports has the sign of how it went. It is foreign. */
function headOf(text: string): { readonly sign: Sign; readonly state: string } | undefined {
  const [, state = ""] = /^#{1,6} +(.{1,200})/m.exec(text) ?? [];
  const sign = ORDER.find((name) => state.startsWith(SIGNS[name]));
  if (state === "") return undefined;
  return { sign: sign ?? "neutral", state: sign === undefined ? state : state.slice(SIGNS[sign].length).trim() };
}
