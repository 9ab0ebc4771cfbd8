import { placeText } from "../../files/json/errors.ts";
import { countText } from "../../text/number.ts";
import type { Judgement, RuleOutcome } from "../judgement.ts";
import { neededText } from "../words.ts";
import { markup, type Markup } from "./markup.ts";
import { verdictBadge } from "./metrics-section.ts";

/** The rules with what came out, in their order. */
export function rulesSection({ rules }: Judgement): Markup {
  if (rules.length === 0) return markup``;
  return markup`<section id="rules" aria-labelledby="rules-heading">
    <h2 id="rules-heading">Rules</h2>
    <table class="rules" role="table" aria-labelledby="rules-heading">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Outcome</th>
          <th role="columnheader" scope="col">Rule</th>
          <th role="columnheader" scope="col">What was found</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rules.map(ruleRow)}
      </tbody>
    </table>
  </section>`;
}

function ruleRow(outcome: RuleOutcome): Markup {
  const { rule, found, needed, verdict, places } = outcome;
  const { tone, word } = endingOf(outcome);
  return markup`<tr role="row">
    <td role="cell"><span class="badge ${tone}">${word}</span></td>
    <td role="cell"><code>${rule.text}</code></td>
    <td role="cell">
      ${found}
      ${verdict !== "no rule" && verdictBadge(verdict)}${needed && markup`<small>${neededText(needed)} would decide</small>`}${placesOf(places)}
    </td>
  </tr>`;
}

function endingOf({ holds, rule }: RuleOutcome): { readonly tone: string; readonly word: string } {
  if (holds === true) return { tone: "good", word: "✓ holds" };
  if (holds === undefined) return { tone: "", word: "– not judged" };
  return rule.isWarning ? { tone: "warn", word: "! warns" } : { tone: "bad", word: "✗ broken" };
}

const MOST_PLACES = 3;

function placesOf(places: RuleOutcome["places"]): Markup | undefined {
  if (places.length === 0) return undefined;
  const rest = places.length - MOST_PLACES;
  const more = rest > 0 && ` and ${countText(rest)} more`;
  return markup`<small>${places.slice(0, MOST_PLACES).map(placeText).join("; ")}${more}</small>`;
}
