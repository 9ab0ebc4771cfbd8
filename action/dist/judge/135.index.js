export const id = 135;
export const ids = [135];
export const modules = {

/***/ 7135:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderReport: () => (/* binding */ renderReport)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./src/text/number.js
var text_number = __webpack_require__(6425);
// EXTERNAL MODULE: ./src/judgement/words.js
var judgement_words = __webpack_require__(8641);
;// CONCATENATED MODULE: ./src/text/html.js
/** Text as HTML, for elements and for attributes in quotes. */
function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

;// CONCATENATED MODULE: ./src/judgement/report/markup.js

/** HTML that may stand in a page as it is. */
class Markup {
    text;
    constructor(text) {
        this.text = text;
    }
}
/** A template of HTML: what is put into it is escaped, so that foreign text never acts. */
function markup(parts, ...contents) {
    return new Markup(parts.reduce((text, part, at) => `${text}${textOf(contents[at - 1])}${part}`));
}
function textOf(content) {
    if (content === undefined || content === false)
        return "";
    if (content instanceof Markup)
        return content.text;
    if (typeof content === "string")
        return escapeHtml(content.toWellFormed());
    return typeof content === "number" ? String(content) : content.map(textOf).join("");
}
/** A sentence in which names stand in backticks: they become code. */
function prose(sentence) {
    const parts = sentence.split("`");
    // An odd one is part of a name.
    if (parts.length % 2 === 0)
        return markup `${sentence}`;
    return markup `${parts.map((part, at) => (at % 2 === 0 ? part : markup `<code>${part}</code>`))}`;
}
/** JSON for a script element that is never run: it holds no character that could end the element. */
function jsonMarkup(value) {
    return new Markup(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
        return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    }));
}

// EXTERNAL MODULE: ../node_modules/diff/libesm/diff/word.js + 2 modules
var word = __webpack_require__(4514);
// EXTERNAL MODULE: ./src/text/foreign-text.js
var foreign_text = __webpack_require__(4252);
;// CONCATENATED MODULE: ./src/judgement/report/cases-section.js




/** So many rows are one page of the table, and one block of texts. */
const ROWS_OF_PAGE = 200;
const COLUMNS = [
    ["case", "Case", ""],
    ["verdict", "What happened", ""],
    ["baseline", "Baseline", "n"],
    ["now", "Now", "n"],
    ["change", "Change", "n"],
];
/** The table of cases: its controls and its data, from which the script of the page fills it. */
function casesSection({ data, labels, total }, texts) {
    const left = total - data.names.length;
    const metrics = data.metrics.map(({ name }, at) => cases_section_option(String(at), name));
    const traits = data.traits.map((trait, at) => cases_section_option(String(at), trait));
    const searched = texts === undefined ? "name or metadata" : "name, metadata or text";
    return markup `<section id="cases" aria-labelledby="cases-heading">
      <h2 id="cases-heading">Cases</h2>
      <noscript><p>The table of cases needs scripts.</p></noscript>
      <div role="search" class="controls">
        <label>Metric <select id="metric">${metrics}</select></label>
        <label>What happened <select id="trait"><option value="">all cases</option>${traits}</select></label>
        <label>Metadata <select id="label"><option value="">all</option>${groupsOf(labels)}</select></label>
        <label class="wide">Search <input id="query" type="search" placeholder="${searched}" autocomplete="off" spellcheck="false"></label>
      </div>
      <p id="count" class="soft" role="status"></p>
      <table class="cases ${data.isCompared ? "" : "alone"}" role="table" aria-labelledby="cases-heading">
        <thead role="rowgroup">
          <tr role="row">
            ${COLUMNS.map(([name, heading, kind]) => markup `<th scope="col" role="columnheader" class="${kind}" data-sort="${name}">
                  <button type="button">${heading}</button>
                </th>`)}
          </tr>
        </thead>
        <tbody id="rows" role="rowgroup"></tbody>
      </table>
      <p class="pager">
        <button type="button" id="previous">Previous ${(0,text_number/* countText */.lT)(ROWS_OF_PAGE)}</button>
        <button type="button" id="next">Next ${(0,text_number/* countText */.lT)(ROWS_OF_PAGE)}</button>
      </p>
      ${left > 0 && markup `<p class="soft">${(0,text_number/* countOf */.pq)(left, "case")} with less harm ${left === 1 ? "is" : "are"} left out of this page.</p>`}
    </section>
    <script type="application/json" id="cases-data">${jsonMarkup(data)}</script>
    ${texts && blocksOf(texts)}`;
}
function blocksOf(texts) {
    return Array.from({ length: Math.ceil(texts.length / ROWS_OF_PAGE) }, (_, block) => {
        const rows = texts.slice(block * ROWS_OF_PAGE, (block + 1) * ROWS_OF_PAGE);
        return markup `<script type="application/json" class="texts-data">${jsonMarkup(rows)}</script>\n`;
    });
}
function cases_section_option(value, text) {
    return markup `<option value="${value}">${text}</option>`;
}
// A list with more is no choice, and the search finds them.
const MOST_VALUES = 50;
const MOST_KEYS = 20;
function groupsOf(labels) {
    const groups = [...Map.groupBy(labels, ({ key }) => key)].filter(([, values]) => values.length <= MOST_VALUES);
    return groups
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, MOST_KEYS)
        .map(([key, values]) => {
        const sorted = values.toSorted((a, b) => b.cases - a.cases || (a.value < b.value ? -1 : 1));
        const options = sorted.map(({ number, value, cases }) => cases_section_option(String(number), `${key} = ${value} (${(0,text_number/* countText */.lT)(cases)})`));
        return markup `<optgroup label="${key}">${options}</optgroup>`;
    });
}
// What a person compares; the files have the rest.
const LONGEST = 4_000;
const MOST_DIFFERENT = 5;
// A page with more would open slowly.
const MOST_CHARACTERS = 16_000_000;
// Texts with more differences than that have little in common: marks would not help.
const MOST_EDITS = 200;
/** The texts of the cases in their order; null for those that the page has no room for. */
function textsOf(cases) {
    let characters = 0;
    return cases.map((one) => {
        if (characters > MOST_CHARACTERS)
            return null;
        const texts = textsOfCase(one);
        characters += lengthOf(texts);
        return texts;
    });
}
function textsOfCase({ now, baseline }) {
    const [expected, inputs] = [now?.expected ?? baseline?.expected, now?.inputs ?? baseline?.inputs];
    const [before, after] = [trialsOf(baseline), trialsOf(now)];
    const [reference] = before;
    const against = expected !== undefined ? "expected" : reference?.output === undefined ? undefined : "baseline";
    const shown = { inputs: shortened(inputs), expected: shortened(expected), against };
    if (against === "baseline")
        return { ...shown, baseline: before, now: after.map(marked(reference?.output)) };
    return { ...shown, baseline: before.map(marked(shown.expected)), now: after.map(marked(shown.expected)) };
}
function trialsOf(one) {
    const trials = one?.trials ?? [];
    const texts = trials.map(({ outputs, error }) => ({ output: shortened(outputs), error: shortened(error) }));
    const groups = Map.groupBy(texts, ({ output, error }) => JSON.stringify([output, error]));
    return [...groups.values()].slice(0, MOST_DIFFERENT).flatMap(([first, ...others]) => {
        if (first === undefined)
            return [];
        return others.length === 0 ? [first] : [{ ...first, times: others.length + 1 }];
    });
}
function shortened(text) {
    return text === undefined ? undefined : (0,foreign_text/* cut */.J)(text, LONGEST);
}
/** Adds what differs from a text, word by word. */
function marked(reference) {
    return (trial) => {
        if (reference === undefined || trial.output === undefined || trial.output === reference)
            return trial;
        return { ...trial, diff: diffOf(reference, trial.output) };
    };
}
/** Undefined where the texts have too little in common. */
function diffOf(from, to) {
    const changes = (0,word/* diffWordsWithSpace */.pR)(from, to, { maxEditLength: MOST_EDITS });
    if (changes === undefined)
        return undefined;
    const lengths = [];
    let [same, removed, added] = [0, 0, 0];
    for (const change of changes) {
        const { length } = change.value;
        if (change.added)
            added += length;
        else if (change.removed)
            removed += length;
        else if (removed + added === 0)
            same += length;
        else {
            lengths.push(same, removed, added);
            [same, removed, added] = [length, 0, 0];
        }
    }
    return [...lengths, same, removed, added];
}
function lengthOf({ inputs = "", expected = "", baseline, now }) {
    const trials = [...baseline, ...now].map(({ output = "", error = "" }) => output.length + error.length);
    return trials.reduce((sum, length) => sum + length, inputs.length + expected.length);
}

// EXTERNAL MODULE: ./src/files/json/errors.js
var errors = __webpack_require__(2996);
;// CONCATENATED MODULE: ./src/text/json-text.js
/** A value from outside as JSON, to be shown. For a value that is nested too deep to be written, a phrase says so. */
function jsonText(value) {
    try {
        return JSON.stringify(value);
    }
    catch {
        // JSON.parse is not recursive, and JSON.stringify is.
        return "too deep to be shown";
    }
}
/** The JSON value in a body of UTF-8, also behind a byte order mark, which RFC 8259 §8.1 allows a reader to ignore. Throws SyntaxError. */
function parseJson(body) {
    // It drops a byte order mark at the start.
    return JSON.parse(new TextDecoder().decode(body));
}

// EXTERNAL MODULE: ./src/judgement/comparing/case-lists.js
var case_lists = __webpack_require__(899);
// EXTERNAL MODULE: ./src/judgement/comparing/pairing.js
var comparing_pairing = __webpack_require__(1479);
// EXTERNAL MODULE: ./src/judgement/comparing/values.js
var values = __webpack_require__(4285);
;// CONCATENATED MODULE: ./src/judgement/report/cases-data.js
/** What may be true of a case in a metric, or as a whole, the worst first. Each is a bit. */
const TRAITS = [
    "newly failing",
    "worse",
    "newly flaky",
    "without a score",
    "with error",
    "flaky",
    "changed",
    "only in the baseline",
    "only now",
    "fixed",
    "better",
    "same",
];

;// CONCATENATED MODULE: ./src/judgement/report/cases-table.js







/** A page with more would open slowly. */
const MOST_CASES = 20_000;
/** Puts the cases of both sides into one table: by harm in the first metric, then by name. */
function tableOfCases({ judgement, results, baseline }, most = MOST_CASES) {
    const names = [...new Set(judgement.metrics.map(({ metric }) => metric))];
    const broken = judgement.rules.find(({ rule, holds }) => holds === false && rule.value.of === "metric")?.rule.value;
    const first = Math.max(0, broken?.of === "metric" ? names.indexOf(broken.metric) : 0);
    const pairing = baseline && (0,comparing_pairing/* pairCases */.Q6)(results, baseline);
    const traits = traitsOf({ now: results, baseline, pairing });
    const all = rowsOf({ now: results, baseline, pairing });
    const columns = names.map((name) => {
        const facts = results.metrics.get(name) ?? baseline?.metrics.get(name);
        return new Columns(name, facts, {
            now: (0,values/* columnOf */.u)(results, name),
            baseline: baseline && (0,values/* columnOf */.u)(baseline, name),
            traits,
        });
    });
    const sorting = columns[first];
    const harms = new Map(all.map((row) => [row, sorting?.rankOf(row) ?? -Infinity]));
    const rows = all
        .sort((a, b) => (harms.get(b) ?? 0) - (harms.get(a) ?? 0) || compareTexts(a.name, b.name) || compareTexts(a.key, b.key))
        .slice(0, most);
    const labels = new Map();
    const data = {
        names: rows.map(({ name }) => name),
        places: rows.map(({ now }) => {
            const place = now?.trials.find((trial) => trial.place !== undefined)?.place;
            return place === undefined ? "" : (0,errors/* placeText */.Z9)(place);
        }),
        metadata: rows.map(({ now, baseline: before }) => labelsOf(now ?? before, labels)),
        labels: [...labels.keys()],
        traits: TRAITS,
        metrics: columns.map((column) => column.of(rows)),
        isCompared: baseline !== undefined,
        first,
    };
    return { data, labels: [...labels.values()], cases: rows, total: all.length };
}
function rowsOf({ now, baseline, pairing }) {
    const row = (nowAt, baselineAt, isCompared = false) => {
        const one = nowAt === undefined ? undefined : now.cases.at(nowAt);
        const before = baselineAt === undefined ? undefined : baseline?.cases.at(baselineAt);
        const shown = one ?? before;
        if (shown === undefined)
            return [];
        const { key, name } = shown;
        return [{ key, name, now: one, baseline: before, nowAt, baselineAt, isCompared }];
    };
    if (pairing === undefined)
        return [...now.cases].flatMap((_, at) => row(at, undefined));
    const { pairs, changed, added, removed } = pairing;
    return [
        ...[...pairs.now].flatMap((at, index) => row(at, pairs.baseline[index], true)),
        ...[...changed.now].flatMap((at, index) => row(at, changed.baseline[index])),
        ...[...added].flatMap((at) => row(at, undefined)),
        ...[...removed].flatMap((at) => row(undefined, at)),
    ];
}
/** From all that is listed: the lists of the judgement end after their first cases. */
function traitsOf(sides) {
    const entries = (0,case_lists/* listCases */.qz)(sides);
    const listed = [
        ["newly failing", entries.newlyFailing],
        ["worse", entries.worseForPeople],
        ["newly flaky", entries.newlyFlaky],
        ["without a score", entries.missing],
        ["with error", entries.errors],
        ["flaky", entries.flaky],
        ["changed", entries.changed],
        ["only in the baseline", entries.removed],
        ["only now", entries.added],
        ["fixed", entries.fixed],
    ];
    const found = new Map();
    const bitsOf = (metric) => {
        const known = found.get(metric) ?? {
            now: new Uint16Array(sides.now.cases.length),
            baseline: new Uint16Array(sides.baseline?.cases.length ?? 0),
        };
        found.set(metric, known);
        return known;
    };
    for (const [trait, list] of listed) {
        for (const { at, isOfBaseline, metric } of list) {
            const bits = isOfBaseline ? bitsOf(metric).baseline : bitsOf(metric).now;
            bits[at] = (bits[at] ?? 0) | bitOf(trait);
        }
    }
    return found;
}
/** The bits of a row in a metric, or of its case as a whole. */
function traitsOfRow(traits, metric, { nowAt, baselineAt }) {
    const { now, baseline } = traits.get(metric) ?? {};
    return (now?.[nowAt ?? -1] ?? 0) | (baseline?.[baselineAt ?? -1] ?? 0);
}
function bitOf(trait) {
    return 1 << TRAITS.indexOf(trait);
}
// As close as differences are compared.
const SAME = 5e-10;
/** One metric over the rows. */
class Columns {
    #name;
    #sign;
    #sides;
    constructor(name, facts, sides) {
        this.#name = name;
        this.#sign = facts?.direction === "lower" ? 1 : -1;
        this.#sides = sides;
    }
    of(rows) {
        const [now, baseline] = [rows.map((row) => this.#now(row)), rows.map((row) => this.#before(row))];
        const harm = rows.map((row) => this.#harmOf(row));
        const text = (value) => (value === null ? "" : (0,judgement_words/* valueText */.Ru)(this.#name, value));
        return {
            name: this.#name,
            isLowerBetter: this.#sign > 0,
            traits: rows.map((row, at) => this.#traitsOf(row, harm[at] ?? null)),
            ...{ baseline: baseline.map(cases_table_short), now: now.map(cases_table_short), harm: rows.map((row) => cases_table_short(this.rankOf(row))) },
            ...{ baselineTexts: baseline.map(text), nowTexts: now.map(text) },
            changeTexts: harm.map((value) => (value === null ? "" : this.#changeText(value * this.#sign))),
        };
    }
    /** What rows are sorted by: a score that went missing stands behind all harm that was measured. */
    rankOf(row) {
        const isMissing = (traitsOfRow(this.#sides.traits, this.#name, row) & bitOf("without a score")) !== 0;
        return isMissing ? SAME : this.#harmOf(row);
    }
    #harmOf(row) {
        const [now, before] = [this.#now(row), this.#before(row)];
        if (!row.isCompared || now === null || before === null)
            return null;
        return this.#sign * (now - before) + 0;
    }
    #traitsOf(row, harm) {
        const { traits } = this.#sides;
        const listed = traitsOfRow(traits, this.#name, row) | traitsOfRow(traits, undefined, row);
        if (!row.isCompared || harm === null || harm > SAME)
            return listed;
        if (harm >= -SAME)
            return listed | bitOf("same");
        return (listed & bitOf("fixed")) === 0 ? listed | bitOf("better") : listed;
    }
    #now({ nowAt }) {
        return known(this.#sides.now?.means[nowAt ?? -1]);
    }
    #before({ baselineAt }) {
        return known(this.#sides.baseline?.means[baselineAt ?? -1]);
    }
    #changeText(change) {
        if (Math.abs(change) <= SAME)
            return "0";
        return `${change < 0 ? "−" : "+"}${(0,judgement_words/* valueText */.Ru)(this.#name, Math.abs(change))}`;
    }
}
function known(value) {
    return value === undefined || Number.isNaN(value) ? null : value;
}
/** Enough digits to sort by. */
function cases_table_short(value) {
    return value === null ? null : Number(value.toPrecision(6));
}
function labelsOf(one, labels) {
    return Object.entries(one?.metadata ?? {}).map(([key, member]) => {
        const value = typeof member === "string" ? member : jsonText(member);
        const text = `${key} = ${value}`;
        const label = labels.get(text) ?? { key, value, number: labels.size, cases: 0 };
        labels.set(text, label);
        label.cases += 1;
        return label.number;
    });
}
function compareTexts(a, b) {
    return a < b ? -1 : Number(a > b);
}

// EXTERNAL MODULE: ../node_modules/d3-scale/dist/d3-scale.mjs + 4 modules
var d3_scale = __webpack_require__(2556);
;// CONCATENATED MODULE: ./src/judgement/report/chart.js


/** Where the marks of a chart stand; one unit is about a pixel, on a phone and on a desk. */
const FRAME = { width: 340, height: 250, left: 46, right: 330, top: 24, bottom: 212 };
/** An axis with round ticks. */
function axisOf({ name, low, high, range, isLog = false, ticks = 5, text }) {
    const domain = low === high ? [low - Math.abs(low) * 0.05 - 1e-9, high + Math.abs(high) * 0.05 + 1e-9] : [low, high];
    const scale = (isLog ? (0,d3_scale/* scaleLog */.ZE)() : (0,d3_scale/* scaleLinear */.m4)()).domain(domain).range(range);
    const values = isLog
        ? (roundTicks(scale.ticks(), ticks) ?? (0,d3_scale/* scaleLinear */.m4)().domain(domain).ticks(ticks))
        : scale.ticks(ticks);
    const shown = thinned(values, (value) => scale(value), range[0] > range[1] ? 16 : 34);
    return { name, at: (value) => scale(value), ticks: shown.map((value) => ({ value, text: text(value) })) };
}
/** Of the ticks of a logarithmic axis 1, 2 and 5 of each power of ten, or the powers alone; undefined for too few. */
function roundTicks(all, most) {
    const [many, few] = [/^[125]e/, /^1e/].map((round) => all.filter((value) => round.test(value.toExponential())));
    if (many === undefined || few === undefined || many.length < 2)
        return undefined;
    return many.length <= most + 1 || few.length < 2 ? many : few;
}
/** The values that have room for their texts. */
function thinned(values, at, room) {
    let last = -Infinity;
    return values.filter((value) => {
        if (Math.abs(at(value) - last) < room)
            return false;
        last = at(value);
        return true;
    });
}
/** Both axes of a chart that shows one thing on both. */
const HORIZONTAL = [FRAME.left, FRAME.right];
const VERTICAL = [FRAME.bottom, FRAME.top];
/** A chart as SVG without styles of its own. */
function chart({ title, description, x, y, marks }) {
    const { width, height, left, right, top, bottom } = FRAME;
    return markup `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img">
    <title>${title}</title>
    <desc>${description}</desc>
    <g class="axis">
      ${x.ticks.map(({ value, text }) => markup `<line class="grid" x1="${n(x.at(value))}" x2="${n(x.at(value))}" y1="${top}" y2="${bottom}" /><text x="${n(x.at(value))}" y="${bottom + 16}" text-anchor="middle">${text}</text>`)}
      ${y.ticks.map(({ value, text }) => markup `<line class="grid" x1="${left}" x2="${right}" y1="${n(y.at(value))}" y2="${n(y.at(value))}" /><text x="${left - 6}" y="${n(y.at(value) + 4)}" text-anchor="end">${text}</text>`)}
      <line x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}" />
      <text class="name" x="${right}" y="${height - 8}" text-anchor="end">${x.name}</text>
      <text class="name" x="${left - 40}" y="10">${y.name}</text>
    </g>
    ${marks}
  </svg>`;
}
/** A chart with its heading, and its numbers folded below it. */
function figure({ heading, about, chart: image, table }) {
    const numbers = table &&
        markup `<details class="numbers">
      <summary>Numbers</summary>
      ${table}
    </details>`;
    return markup `<figure>
    <figcaption><strong>${heading}</strong> <span class="soft">${about}</span></figcaption>
    ${image}${numbers}
  </figure>`;
}
/** A coordinate: a hundredth of a pixel is enough. */
function n(value) {
    return String(Math.round(value * 100) / 100);
}

;// CONCATENATED MODULE: ./src/judgement/report/distribution.js





const BINS = 20;
// Of a smooth curve; more would not be seen.
const MOST_STEPS = 300;
/** How the values of the cases are spread now, and were in the baseline. Undefined where they say yes or no. */
function distributionOf(charted) {
    const { metric, facts, now, baseline } = charted;
    const [low, high] = boundsOf([now, baseline], facts);
    if (now.length === 0 || new Set([...now, ...baseline]).size <= 2)
        return undefined;
    const bins = (0,d3_scale/* scaleLinear */.m4)().domain([low, high]).nice(BINS);
    const edges = bins.ticks(BINS);
    const [from = low, to = high] = bins.domain();
    const shares = [baseline, now].map((values) => sharesIn(values, edges));
    const highest = Math.max(...shares.flat());
    const text = (value) => (0,judgement_words/* valueText */.Ru)(metric, value);
    const x = axisOf({ name: "mean of a case", low: from, high: to, range: HORIZONTAL, text });
    const y = axisOf({ name: "cases ↑", low: 0, high: highest, range: VERTICAL, ticks: 4, text: percent });
    const [before = [], after = []] = shares;
    return figure({
        heading: `${metric}: distribution`,
        about: keysOf(baseline.length > 0),
        chart: chart({
            title: `${metric}: how the means of the cases are spread`,
            description: describe(charted),
            ...{ x, y },
            marks: [bars(before, edges, x, y), outline(after, edges, x, y)],
        }),
        table: quantileTable(charted),
    });
}
/** Which share of the cases took at most how long, now and in the baseline. */
function latencyCurveOf(charted) {
    const { metric, facts, now, baseline } = charted;
    if (now.length < 2)
        return undefined;
    const [low, high] = boundsOf([now, baseline], facts);
    const text = (value) => (0,judgement_words/* valueText */.Ru)(metric, value);
    const x = axisOf({ name: "mean of a case", low, high, range: HORIZONTAL, isLog: low > 0, text });
    const y = axisOf({ name: "share of cases ↑", low: 0, high: 1, range: VERTICAL, ticks: 4, text: percent });
    return figure({
        heading: `${metric}: share of cases at or below`,
        about: keysOf(baseline.length > 0),
        chart: chart({
            title: `${metric}: the share of the cases up to each value`,
            description: describe(charted),
            ...{ x, y },
            marks: [steps(baseline, "baseline", x, y), steps(now, "now", x, y)],
        }),
        table: quantileTable(charted),
    });
}
function boundsOf(columns, { low, high }) {
    const ends = columns.flatMap((values) => (values.length === 0 ? [] : [values[0] ?? 0, values.at(-1) ?? 0]));
    return [Math.min(...ends, low ?? Infinity), Math.max(...ends, high ?? -Infinity)];
}
/** The share of the values between each edge and the next; the last bin has its upper edge. */
function sharesIn(sorted, edges) {
    const counts = edges.slice(1).map(() => 0);
    let bin = 0;
    for (const value of sorted) {
        while (bin < counts.length - 1 && value >= (edges[bin + 1] ?? Infinity))
            bin += 1;
        counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return counts.map((count) => count / Math.max(1, sorted.length));
}
function bars(shares, edges, x, y) {
    const path = shares.map((share, bin) => {
        const [left, right] = [x.at(edges[bin] ?? 0) + 1, x.at(edges[bin + 1] ?? 0) - 1];
        return share === 0 ? "" : `M${n(left)} ${n(y.at(0))}V${n(y.at(share))}H${n(right)}V${n(y.at(0))}Z`;
    });
    return markup `<path class="area baseline" d="${path.join("")}" />`;
}
function outline(shares, edges, x, y) {
    const path = shares.map((share, bin) => `V${n(y.at(share))}H${n(x.at(edges[bin + 1] ?? 0))}`);
    return markup `<path class="line now" d="M${n(x.at(edges[0] ?? 0))} ${n(y.at(0))}${path.join("")}V${n(y.at(0))}" />`;
}
/** The empirical distribution as steps, thinned where there are more cases than pixels. */
function steps(sorted, name, x, y) {
    const [first] = sorted;
    if (first === undefined)
        return undefined;
    const shown = Math.min(sorted.length, MOST_STEPS);
    const path = Array.from({ length: shown }, (_, step) => {
        const rank = Math.ceil(((step + 1) * sorted.length) / shown);
        return `H${n(x.at(sorted[rank - 1] ?? first))}V${n(y.at(rank / sorted.length))}`;
    });
    return markup `<path class="line ${name}" d="M${n(x.at(first))} ${n(y.at(0))}${path.join("")}" />`;
}
function percent(share) {
    return `${String(Math.round(share * 1000) / 10)} %`;
}
function keysOf(hasBaseline) {
    return markup `<span class="key now">now</span>${hasBaseline ? markup ` <span class="key baseline">baseline</span>` : ""}`;
}
function describe({ metric, now, baseline, judgement }) {
    const side = (name, values, level) => level === undefined
        ? ""
        : `${name}: ${(0,text_number/* countOf */.pq)(values.length, "case")}, median ${(0,judgement_words/* valueText */.Ru)(metric, level.quantiles.p50)}. `;
    return `${side("Now", now, judgement.now)}${side("Baseline", baseline, judgement.baseline)}`.trimEnd();
}
const QUANTILES = ["min", "p50", "p90", "p95", "p99"];
function quantileTable({ metric, judgement }) {
    const row = (name, level) => level &&
        markup `<tr>
      <th scope="row">${name}</th>
      <td class="n">${(0,judgement_words/* valueText */.Ru)(metric, level.mean)}</td>
      ${QUANTILES.map((quantile) => markup `<td class="n">${(0,judgement_words/* valueText */.Ru)(metric, level.quantiles[quantile])}</td>`)}
    </tr>`;
    return markup `<table>
    <thead>
      <tr>
        <th></th>
        ${["mean", ...QUANTILES].map((name) => markup `<th scope="col" class="n">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${row("now", judgement.now)}${row("baseline", judgement.baseline)}
    </tbody>
  </table>`;
}

;// CONCATENATED MODULE: ./src/judgement/report/charted-metric.js


/** The metrics of whole sets, in the order of the judgement: parts have no charts. */
function chartedMetrics({ judgement, results, baseline }) {
    const places = baseline === undefined ? comparing_pairing/* NO_PAIRS */.Yh : (0,comparing_pairing/* pairCases */.Q6)(results, baseline).pairs;
    return judgement.metrics.flatMap((one) => {
        const { metric, part, facts } = one;
        if (part !== undefined || !results.metrics.has(metric))
            return [];
        const [now, before] = [(0,values/* columnOf */.u)(results, metric), baseline && (0,values/* columnOf */.u)(baseline, metric)];
        const pairs = [...places.now].flatMap((at, index) => {
            const [from, to] = [before?.means[places.baseline[index] ?? 0] ?? Number.NaN, now.means[at] ?? Number.NaN];
            return Number.isNaN(from) || Number.isNaN(to) ? [] : [[from, to]];
        });
        return [{ metric, facts, judgement: one, now: sorted(now), baseline: sorted(before), pairs }];
    });
}
function sorted(column) {
    return column === undefined ? new Float64Array() : column.means.filter((mean) => !Number.isNaN(mean)).sort();
}

;// CONCATENATED MODULE: ./src/judgement/report/page-script.js
/**
 * The script of the page: sorts, filters and unfolds the table of cases. The page holds the text of this function, so all
 * that it uses is inside of it. Foreign text becomes textContent and nothing else.
 */
function runPage({ document, parseCases, parseTexts, later }) {
    const rowsOfPage = 200;
    const find = (id) => {
        const element = document.getElementById(id);
        if (element === null)
            throw new Error(`The page has no ${id}.`);
        return element;
    };
    const make = (name, className, ...content) => {
        const element = document.createElement(name);
        element.className = className;
        // On a phone the table is laid out as blocks, which takes these from a browser.
        const role = { tr: "row", td: "cell", th: "rowheader" }[name];
        if (role !== undefined)
            element.setAttribute("role", role);
        element.append(...content);
        return element;
    };
    const data = parseCases(find("cases-data").textContent ?? "");
    const blocks = [...document.querySelectorAll(".texts-data")];
    const texts = [];
    const [haystacks, stated] = [[], []];
    const [body, metricSelect, traitSelect, labelSelect] = [find("rows"), find("metric"), find("trait"), find("label")];
    const [query, count, previous, next] = [find("query"), find("count"), find("previous"), find("next")];
    const headers = [...document.querySelectorAll("[data-sort]")];
    let sort = data.isCompared ? "change" : "now";
    let isDown = data.isCompared || data.metrics[data.first]?.isLowerBetter === true;
    let [start, shown] = [0, []];
    const orders = new Map();
    const metric = () => data.metrics[Number(metricSelect.value)];
    /** The texts of a block are read when they are asked for. */
    const textsOf = (row) => {
        const block = Math.floor(row / rowsOfPage);
        const element = blocks[block];
        if (element === undefined)
            return undefined;
        texts[block] ??= parseTexts(element.textContent ?? "");
        return texts[block][row % rowsOfPage];
    };
    const labelsOf = (row) => (data.metadata[row] ?? []).map((label) => data.labels[label] ?? "").join(", ");
    /** What a search looks through; it is more once the texts are read. */
    const statedOf = (row) => (stated[row] ??= `${data.names[row] ?? ""}\n${data.places[row] ?? ""}\n${labelsOf(row)}`.toLowerCase());
    const haystackOf = (row) => {
        const { inputs = "", expected = "", now = [], baseline = [] } = textsOf(row) ?? {};
        const outputs = [...now, ...baseline].map(({ output = "", error = "" }) => `${output}\n${error}`);
        return `${statedOf(row)}\n${[inputs, expected, ...outputs].join("\n").toLowerCase()}`;
    };
    const readAhead = () => {
        const end = Math.min(haystacks.length + rowsOfPage, data.names.length);
        for (let row = haystacks.length; row < end; row += 1)
            haystacks.push(haystackOf(row));
        if (end < data.names.length)
            later(readAhead);
        else if (query.value !== "")
            select();
    };
    /** What the rows are sorted by, by row. */
    const sortValues = () => {
        if (sort === "case")
            return data.names;
        const columns = metric();
        // The worst of the bits is the lowest.
        if (sort === "verdict")
            return (columns?.traits ?? []).map((bits) => (bits === 0 ? null : -(bits & -bits)));
        return (sort === "change" ? columns?.harm : sort === "now" ? columns?.now : columns?.baseline) ?? [];
    };
    /** All rows in the order of the table, which no filter changes; rows without a value are last. */
    const sorted = () => {
        const name = `${metricSelect.value} ${sort} ${String(isDown)}`;
        const known = orders.get(name);
        if (known !== undefined)
            return known;
        const values = sortValues();
        const turn = isDown ? -1 : 1;
        const hasValue = (row) => (values[row] ?? null) !== null;
        const all = [...data.names.keys()];
        const rows = all.filter(hasValue).sort((a, b) => {
            const one = values[a] ?? 0;
            const other = values[b] ?? 0;
            return one === other ? a - b : one < other ? -turn : turn;
        });
        const order = [...rows, ...all.filter((row) => !hasValue(row))];
        orders.set(name, order);
        return order;
    };
    const select = () => {
        const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
        const label = labelSelect.value === "" ? -1 : Number(labelSelect.value);
        const bit = traitSelect.value === "" ? 0 : 1 << Number(traitSelect.value);
        const traits = metric()?.traits ?? [];
        shown = sorted().filter((row) => {
            if (bit !== 0 && ((traits[row] ?? 0) & bit) === 0)
                return false;
            if (label !== -1 && !(data.metadata[row] ?? []).includes(label))
                return false;
            const haystack = words.length === 0 ? "" : (haystacks[row] ?? statedOf(row));
            return words.every((word) => haystack.includes(word));
        });
        start = 0;
        show();
    };
    const show = () => {
        const rows = shown.slice(start, start + rowsOfPage);
        body.replaceChildren(...rows.map(lineOf));
        for (const header of headers) {
            const state = header.dataset["sort"] === sort ? (isDown ? "descending" : "ascending") : "none";
            header.setAttribute("aria-sort", state);
        }
        previous.disabled = start === 0;
        next.disabled = start + rowsOfPage >= shown.length;
        const all = data.names.length.toLocaleString("en");
        const found = shown.length.toLocaleString("en");
        const range = rows.length === shown.length ? "" : `, shown are ${start + 1} to ${start + rows.length}`;
        const isReading = query.value !== "" && haystacks.length < data.names.length;
        const none = isReading ? "Searching …" : "No case fits the filter.";
        count.textContent = shown.length === 0 ? none : `${found} of ${all} cases${range}${isReading ? " so far" : ""}`;
    };
    const lineOf = (row) => {
        const columns = metric();
        const harm = columns?.harm[row] ?? 0;
        const tone = harm > 0 ? "worse" : harm < 0 ? "better" : "";
        const button = make("button", "unfold", data.names[row] ?? "");
        button.setAttribute("aria-expanded", "false");
        button.dataset["row"] = String(row);
        const name = make("th", "", button);
        name.setAttribute("scope", "row");
        return make("tr", "", name, make("td", tone, wordsOf(columns?.traits[row] ?? 0)), make("td", "n", columns?.baselineTexts[row] ?? ""), make("td", "n", columns?.nowTexts[row] ?? ""), make("td", `n ${tone}`, columns?.changeTexts[row] ?? ""));
    };
    const wordsOf = (bits) => {
        const words = data.traits.filter((_, at) => (bits & (1 << at)) !== 0);
        return (words.includes("newly flaky") ? words.filter((word) => word !== "flaky") : words).join(", ");
    };
    const detailOf = (row) => {
        const facts = make("dl", "facts");
        const fact = (name, value) => {
            if (value !== "")
                facts.append(make("div", "", make("dt", "", name), make("dd", "", value)));
        };
        fact("Place", data.places[row] ?? "");
        for (const columns of data.metrics) {
            const [before, now] = [columns.baselineTexts[row] ?? "", columns.nowTexts[row] ?? ""];
            fact(columns.name, before === now || before === "" ? now : `${before} → ${now === "" ? "missing" : now}`);
        }
        fact("Metadata", labelsOf(row));
        const cell = make("td", "", facts, ...textPartsOf(row));
        cell.setAttribute("colspan", "5");
        return make("tr", "detail", cell);
    };
    const textPartsOf = (row) => {
        const found = textsOf(row);
        if (found === undefined)
            return [];
        if (found === null)
            return [make("p", "soft", "This page has no room for the texts of this case.")];
        const { inputs, expected, against, baseline, now } = found;
        const reference = against === "expected" ? (expected ?? "") : (baseline[0]?.output ?? "");
        const side = (heading, trials) => make("div", "side", make("h3", "", heading), ...trials.flatMap((trial) => trialParts(trial, reference)));
        const parts = [inputs === undefined ? [] : [make("h3", "", "Input"), make("pre", "", inputs)]].flat();
        if (expected !== undefined)
            parts.push(make("h3", "", "Expected"), make("pre", "", expected));
        if (against !== undefined) {
            const what = against === "expected" ? "what was expected" : "the baseline";
            const [left, added] = [make("del", "", "left out"), make("ins", "", "added")];
            parts.push(make("p", "legend soft", `Compared with ${what}: `, left, " ", added));
        }
        const sides = baseline.length === 0 ? [] : [side("Baseline", baseline)];
        if (now.length > 0)
            sides.push(side("Now", now));
        return [...parts, make("div", "sides", ...sides)];
    };
    const trialParts = ({ output, error, diff, times }, reference) => {
        const parts = times === undefined ? [] : [make("p", "soft", `${times} trials alike`)];
        if (error !== undefined)
            parts.push(make("pre", "fault", error));
        if (output === undefined)
            return error === undefined ? [...parts, make("p", "soft", "No output.")] : parts;
        const box = make("pre", "");
        let [from, to] = [0, 0];
        for (let at = 0; at < (diff?.length ?? 0); at += 3) {
            const [same = 0, removed = 0, added = 0] = diff?.slice(at, at + 3) ?? [];
            box.append(output.slice(to, to + same));
            if (removed > 0)
                box.append(make("del", "", reference.slice(from + same, from + same + removed)));
            if (added > 0)
                box.append(make("ins", "", output.slice(to + same, to + same + added)));
            [from, to] = [from + same + removed, to + same + added];
        }
        box.append(output.slice(to));
        return [...parts, box];
    };
    const turnPage = (by) => {
        start += by * rowsOfPage;
        show();
        find("cases").scrollIntoView();
        // The button that was pressed may be disabled now.
        body.querySelector("button")?.focus();
    };
    /** Shows another metric: how many cases have each trait in it, and its cases. */
    const showMetric = () => {
        const counts = data.traits.map(() => 0);
        for (const bits of metric()?.traits ?? []) {
            for (let at = 0; at < counts.length; at += 1)
                counts[at] = (counts[at] ?? 0) + ((bits >> at) & 1);
        }
        for (const option of document.querySelectorAll("#trait option[value]:not([value=''])")) {
            const cases = counts[Number(option.value)] ?? 0;
            option.textContent = `${data.traits[Number(option.value)] ?? ""} (${cases.toLocaleString("en")})`;
            option.hidden = cases === 0;
        }
        select();
    };
    body.addEventListener("click", ({ target }) => {
        const button = target.closest("button");
        const line = target.closest("tr");
        if (button === null || line === null)
            return;
        const isOpen = button.getAttribute("aria-expanded") === "true";
        button.setAttribute("aria-expanded", String(!isOpen));
        if (isOpen)
            line.nextElementSibling?.remove();
        else
            line.after(detailOf(Number(button.dataset["row"])));
    });
    for (const header of headers) {
        header.addEventListener("click", () => {
            const name = header.dataset["sort"] ?? "";
            isDown = name === sort ? !isDown : name !== "case";
            sort = name;
            select();
        });
    }
    for (const link of document.querySelectorAll("[data-trait]")) {
        link.addEventListener("click", () => {
            metricSelect.value = link.dataset["metric"] ?? metricSelect.value;
            [traitSelect.value, labelSelect.value, query.value] = [link.dataset["trait"] ?? "", "", ""];
            showMetric();
        });
    }
    metricSelect.addEventListener("change", showMetric);
    for (const control of [traitSelect, labelSelect])
        control.addEventListener("change", select);
    query.addEventListener("input", select);
    previous.addEventListener("click", turnPage.bind(undefined, -1));
    next.addEventListener("click", turnPage.bind(undefined, 1));
    metricSelect.value = String(data.first);
    showMetric();
    later(readAhead);
}

;// CONCATENATED MODULE: ./src/judgement/report/page-style.js
/** The style of the page: light or dark as the system is, from a phone to a wide window, and on paper. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c1e21; --soft: #5c636d; --line: #d9dce1; --faint: #eceef1; --card: #f6f7f9; --link: #0b57d0;
  --bad: #b3261e; --bad-back: #fdecea; --good: #17692f; --good-back: #e6f4ea; --warn: #855100; --warn-back: #fdf1dc;
  --was: #a3aab5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e6ea; --soft: #9aa2ad; --line: #363b43; --faint: #24282e; --card: #1e2126; --link: #8ab4f8;
    --bad: #ffaaa2; --bad-back: #3d1c19; --good: #84d99b; --good-back: #17331f; --warn: #f0c274; --warn-back: #362a14;
    --was: #6b7480;
  }
}
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
header, main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; } main { padding-bottom: 4rem; }
section { margin-top: 2.25rem; }
h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.3; max-width: 56rem; margin: .5rem 0; text-wrap: pretty; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; } h3 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: .75rem 0 .25rem; }
h1, p, li, th, td, dd, dt, code, option, button, figcaption, text { unicode-bidi: isolate; overflow-wrap: anywhere; }
p { margin: .5rem 0; } a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; } h1 code { font-size: .85em; }
small { display: block; color: var(--soft); font-size: .8rem; } .soft { color: var(--soft); font-weight: 400; }
.worse { color: var(--bad); } .better { color: var(--good); } .warn { color: var(--warn); }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
.about { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .75rem; color: var(--soft); margin: 0; }
.badge { font-size: .8rem; font-weight: 600; padding: .1rem .55rem; border-radius: 1rem; background: var(--card); color: var(--soft); white-space: nowrap; }
.badge.good { background: var(--good-back); color: var(--good); } .badge.bad { background: var(--bad-back); color: var(--bad); }
.badge.warn { background: var(--warn-back); color: var(--warn); }
header .badge { font-size: .9rem; padding: .2rem .75rem; }
.links, .links ul { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: .75rem 0 0; padding: 0; list-style: none; } .links ul { margin: 0; }
.links a { color: inherit; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); } .links a:hover { text-decoration-color: currentColor; }
.notices { list-style: none; margin: 1.25rem 0 0; padding: .6rem 1rem; background: var(--warn-back); border-radius: 6px; } .notices .gap { font-weight: 600; }

table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: baseline; font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: .8rem; font-weight: 600; color: var(--soft); vertical-align: bottom; }
th.n, td.n { text-align: right; }

.metrics, .rules, .cases { width: 100%; } .metrics.alone { width: auto; } .metrics.alone td { padding-left: 2.5rem; }
.cases.alone :is(th, td):nth-child(3), .cases.alone :is(th, td):nth-child(5) { display: none; }
.metrics tbody th, .metrics tbody td { vertical-align: middle; }
.metrics .metric { font-weight: 600; margin-right: .4rem; }
.metrics td.n { white-space: nowrap; } .metrics td.n small + small, .metrics td[data-label=change] small { white-space: normal; max-width: 13rem; margin-left: auto; }
.metrics tbody th { width: 13.5rem; min-width: 11.5rem; } .metrics .plot { width: 28%; padding: 0; height: 3.25rem; position: relative; } .metrics thead .plot { height: auto; padding: .45rem 0; }
.metrics .ticks td { border: 0; height: 1.75rem; padding-top: 0; padding-bottom: .5rem; }
.ends { display: flex; justify-content: space-between; }
.forest { display: block; overflow: visible; } tbody tr:not(.ticks) .forest { position: absolute; inset: 0; }
.forest .zone { fill: var(--bad-back); } .forest .margin { stroke: var(--bad); stroke-dasharray: 3 3; }
.forest .zero { stroke: var(--soft); } .forest .interval { stroke: var(--ink); stroke-width: 2.5; stroke-linecap: round; } .forest .change { fill: var(--ink); }
.forest .worse { fill: var(--bad); stroke: var(--bad); } .forest .better { fill: var(--good); stroke: var(--good); }
.forest .change { stroke: none; } .ticks line { stroke: var(--soft); } .ticks text { fill: var(--soft); font-size: 12px; }
.legend { font-size: .8rem; } .mark { display: inline-block; vertical-align: -.1em; margin: 0 .3rem 0 .9rem; } .mark:first-child { margin-left: 0; }
.mark.dot { width: .7rem; height: .7rem; border-radius: 50%; background: var(--ink); } .mark.bar { width: 1px; height: .9rem; background: var(--soft); }
.mark.zone { width: .9rem; height: .9rem; background: var(--bad-back); border-right: 1px dashed var(--bad); }
.rules td:first-child { white-space: nowrap; width: 7.5rem; } .rules td:nth-child(2) { width: 22rem; }

.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1.75rem 2rem; }
figure { margin: 0; min-width: 0; break-inside: avoid; } figcaption { font-size: .875rem; margin-bottom: .5rem; } figcaption strong { display: block; } #charts > details { margin-top: 1rem; } #charts > details .figures { margin-top: 1rem; }
.chart { display: block; width: 100%; height: auto; max-width: 30rem; } .chart text { font-size: 11px; fill: var(--soft); }
.axis line { stroke: var(--soft); } .axis .grid { stroke: var(--faint); } .chart .zero { stroke: var(--soft); stroke-dasharray: 4 4; }
.chart .corner { font-weight: 600; } .chart .corner, .chart .count { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; } .chart .count { stroke-opacity: .6; } .chart text.worse { fill: var(--bad); } .chart text.better { fill: var(--good); }
.spot { fill: var(--was); fill-opacity: .45; } .spot.worse { fill: var(--bad); } .spot.better { fill: var(--good); } .chart .count { fill: var(--ink); font-weight: 600; }
.dots { fill: none; stroke: var(--was); stroke-linecap: round; stroke-width: 4; } .dots.worse { stroke: var(--bad); } .dots.better { stroke: var(--good); }
.dots.shade-1 { stroke-opacity: .3; } .dots.shade-2 { stroke-opacity: .5; } .dots.shade-3 { stroke-opacity: .7; } .dots.shade-4 { stroke-opacity: .9; }
.area.baseline { fill: var(--was); fill-opacity: .5; } .line { fill: none; stroke-width: 2; stroke-linejoin: round; } .line.now { stroke: var(--link); } .line.baseline { stroke: var(--was); }
.key::before { content: ""; display: inline-block; width: .9rem; height: 3px; margin: 0 .3rem .2rem 0; background: var(--was); } .key.now::before { background: var(--link); } .key + .key { margin-left: .6rem; }
.numbers { font-size: .8rem; } summary { color: var(--link); cursor: pointer; width: max-content; } .numbers table { width: 100%; } .numbers th, .numbers td { padding: .25rem .3rem; }

.controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; } .controls label { color: var(--soft); font-size: .8rem; min-width: 0; }
.controls .wide { flex: 1 1 14rem; max-width: 26rem; }
select, input, button { font: inherit; color: inherit; } select, input { display: block; width: 100%; max-width: 16rem; font-size: .9375rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .5rem; } .wide input { max-width: none; }
.pager button { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .75rem; cursor: pointer; } .pager button:disabled { color: var(--soft); cursor: default; }
.cases { table-layout: fixed; } .cases th:first-child { width: 38%; } .cases th:nth-child(2) { width: 26%; }
.cases thead button { background: none; border: 0; padding: 0; font-weight: 600; color: var(--soft); cursor: pointer; text-align: inherit; }
.cases thead button:hover, .cases [aria-sort]:not([aria-sort=none]) button { color: var(--ink); }
.cases thead button::after { content: " ↕"; opacity: .5; } .cases [aria-sort=descending] button::after { content: " ↓"; opacity: 1; } .cases [aria-sort=ascending] button::after { content: " ↑"; opacity: 1; }
.cases tbody tr:hover > *, .cases tr.detail > * { background: var(--card); }
.unfold { background: none; border: 0; padding: 0 0 0 1rem; position: relative; text-align: left; cursor: pointer; overflow-wrap: anywhere; } .unfold::before { content: "▸"; color: var(--soft); position: absolute; left: 0; } .unfold[aria-expanded=true]::before { content: "▾"; }
.cases .detail td { padding: .25rem .75rem 1rem 1rem; } .facts { display: flex; flex-wrap: wrap; gap: .4rem 1.75rem; margin: .4rem 0; } dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; margin: 0 0 .4rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 1rem; } .side { min-width: 0; } .fault { border-left: 3px solid var(--bad); }
ins { background: var(--good-back); color: var(--good); text-decoration: none; border-radius: 2px; } del { background: var(--bad-back); color: var(--bad); border-radius: 2px; } del + ins { margin-left: .3ch; }

@media (max-width: 72rem) {
  .metrics thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .metrics, .metrics.alone, .metrics tbody { display: block; width: auto; } .metrics tr { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; }
  .metrics tbody th, .metrics tbody td { display: block; border: 0; padding: .1rem 0; } .metrics tbody th, .metrics .plot { width: 100%; }
  .metrics tbody tr:not(.ticks) { border-bottom: 1px solid var(--line); padding: .6rem 0; } .metrics .ticks td:not(.plot) { display: none; }
  .metrics .plot { height: 2.25rem; margin: .3rem 0; } .metrics .ticks .plot { height: 1.5rem; margin: 0; }
  .metrics td.n, .metrics td.n small { text-align: left; white-space: normal; max-width: none; margin-left: 0; } .metrics td.n::before { content: attr(data-label) " "; color: var(--soft); }
}
@media (max-width: 46rem) {
  header, main { padding-left: 1rem; padding-right: 1rem; } h1 { font-size: 1.25rem; }
  .metrics td.n { width: 100%; } .metrics td.n::before { display: inline-block; min-width: 4.75rem; } .metrics td.n small { padding-left: 4.75rem; }
  .rules thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; } .rules, .rules tbody, .rules tr, .rules td { display: block; }
  .rules tr { border-bottom: 1px solid var(--line); padding: .6rem 0; } .rules td { border: 0; padding: .1rem 0; } .rules td:first-child, .rules td:nth-child(2) { width: auto; }
  .cases, .cases thead, .cases tbody { display: block; } .cases tr { display: grid; grid-template-columns: 1fr 4.25rem 4.25rem 4.75rem; border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .cases th, .cases td, .cases th:first-child, .cases th:nth-child(2) { display: block; width: auto; border: 0; padding: .1rem 0; } .cases th:first-child, .cases .detail td { grid-column: 1 / -1; } .cases .detail td { padding: 0 .75rem .75rem; }
  .cases td:nth-child(2) { padding-left: 1rem; } .cases [aria-sort=none] button::after { content: none; }
  .controls label { flex: 1 1 9rem; } select, input { max-width: none; }
}
@media print {
  :root { color-scheme: light; } .skip, .controls, .pager, noscript { display: none; }
  header, main { max-width: none; padding: 0; } tr, figure { break-inside: avoid; } pre { max-height: none; } * { print-color-adjust: exact; }
}
`;

// EXTERNAL MODULE: ./src/judgement/comparing/part.js
var part = __webpack_require__(9506);
// EXTERNAL MODULE: ./src/judgement/comparing/rules.js
var comparing_rules = __webpack_require__(7232);
;// CONCATENATED MODULE: ./src/judgement/report/forest-plot.js





/** Groups metrics by the unit and the direction of their changes, in the order of the first of each. */
function forestOf(metrics, rules) {
    return [...Map.groupBy(metrics, groupOf).values()].map((group) => {
        const plotted = group.flatMap((metric) => plottedOf(metric, rules));
        const [first] = plotted;
        if (first === undefined)
            return { metrics: group, rowOf: () => undefined, axis: undefined, hasMargin: false };
        const scale = scaleOf(plotted);
        return {
            metrics: group,
            rowOf: (metric) => {
                const found = plotted.find((one) => one.metric === metric);
                return found && rowMarkup(found, scale);
            },
            axis: axisMarkup(first, scale),
            hasMargin: plotted.some(({ margin }) => margin !== undefined),
        };
    });
}
function groupOf({ metric, facts, comparison }) {
    if (comparison === undefined)
        return "without a comparison";
    const unit = (0,judgement_words/* changeUnit */.FT)(facts, comparison.scale);
    // A number without a unit shares its axis with no other.
    return JSON.stringify([unit, comparison.direction, unit === "" ? metric : ""]);
}
function plottedOf(metric, rules) {
    const { comparison } = metric;
    if (comparison === undefined)
        return [];
    const shift = comparison.scale === "ratio" ? 1 : 0;
    const { change, interval, direction } = comparison;
    const margins = rules.flatMap(({ rule: { test, value, filters } }) => {
        const isOwn = value.of === "metric" && value.metric === metric.metric && (0,part/* partText */.R)(filters) === metric.part;
        return isOwn && test.by === "not-worse" ? [(0,comparing_rules/* marginOf */.OB)(test.margin, comparison)] : [];
    });
    const margin = margins.length === 0 ? undefined : Math.min(...margins) * (direction === "higher" ? -1 : 1);
    const shifted = interval && { low: interval.low - shift, high: interval.high - shift };
    return [{ metric, comparison, change: change - shift, low: shifted?.low, high: shifted?.high, margin }];
}
function scaleOf(plotted) {
    const values = plotted.flatMap(({ change, low = 0, high = 0, margin = 0 }) => [0, change, low, high, margin]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    // Room on both sides of 0, so that a change of any size has a side.
    const room = (most - least) * 0.1 || 0.01;
    const isFlipped = plotted[0]?.comparison.direction === "lower";
    const scale = (0,d3_scale/* scaleLinear */.m4)()
        .domain([least - room, most + room])
        .range(isFlipped ? [100, 0] : [0, 100]);
    return { at: (value) => scale(value), ticks: scale.ticks(4) };
}
function forest_plot_percent(value) {
    return `${String(Math.round(value * 100) / 100)}%`;
}
/** Harm is shown where a rule asked for it; a gain wherever its interval is beyond 0. */
function toneOf({ metric: { verdict }, change, low, high, comparison }) {
    if (verdict === "regressed")
        return "worse";
    const isBeyond = low !== undefined && high !== undefined && (low > 0 || high < 0);
    return isBeyond && change > 0 === (comparison.direction === "higher") ? "better" : "plain";
}
function rowMarkup(plotted, { at }) {
    const { metric, comparison, change, low, high, margin } = plotted;
    const tone = toneOf(plotted);
    const zero = forest_plot_percent(at(0));
    const text = (value) => (0,judgement_words/* changeText */.k0)(metric.facts, comparison.scale, value + (comparison.scale === "ratio" ? 1 : 0));
    const allowed = margin === undefined ? "" : `; a rule allows ${text(margin)}`;
    const zone = margin === undefined ? undefined : forest_plot_percent(at(margin));
    return markup `<svg class="forest" role="img" width="100%" height="100%">
    <title>${(0,judgement_words/* nameOf */.Vb)(metric)}: ${(0,judgement_words/* comparisonText */.VF)(metric.facts, comparison)}${allowed}</title>
    ${zone && markup `<rect class="zone" x="0" y="0" width="${zone}" height="100%" /><line class="margin" x1="${zone}" x2="${zone}" y1="0" y2="100%" />`}
    <line class="zero" x1="${zero}" x2="${zero}" y1="0" y2="100%" />
    ${low !== undefined && high !== undefined && markup `<line class="interval ${tone}" x1="${forest_plot_percent(at(low))}" x2="${forest_plot_percent(at(high))}" y1="50%" y2="50%" />`}
    <circle class="change ${tone}" cx="${forest_plot_percent(at(change))}" cy="50%" r="5" />
  </svg>`;
}
function axisMarkup({ metric, comparison }, { at, ticks }) {
    const { scale } = comparison;
    const text = (value) => value === 0 ? "0" : (0,judgement_words/* changeText */.k0)(metric.facts, scale, value + (scale === "ratio" ? 1 : 0)).replace(/\.0(?= )/, "");
    const shown = ticks.map((value) => ({ value, place: at(value) })).filter(({ place }) => place > 5 && place < 95);
    return markup `<svg class="forest" aria-hidden="true" width="100%" height="20">
    ${shown.map(({ value, place }) => markup `<line x1="${forest_plot_percent(place)}" x2="${forest_plot_percent(place)}" y1="0" y2="4" /><text x="${forest_plot_percent(place)}" y="16" text-anchor="middle">${text(value)}</text>`)}
  </svg>`;
}

;// CONCATENATED MODULE: ./src/judgement/report/verdict-sections.js





/** Tones of verdicts; the others are neutral. */
const TONES = {
    regressed: "bad",
    incomplete: "warn",
    improved: "good",
    "not worse": "good",
};
/** A verdict in a word; the colour only repeats it. */
function verdictBadge(verdict) {
    return markup `<span class="badge ${TONES[verdict] ?? ""}">${verdict}</span>`;
}
/** The rules with what came out, in their order. */
function rulesSection({ rules }) {
    if (rules.length === 0)
        return markup ``;
    return markup `<section id="rules" aria-labelledby="rules-heading">
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
function ruleRow(outcome) {
    const { rule, found, needed, verdict, places } = outcome;
    const { tone, word } = endingOf(outcome);
    return markup `<tr role="row">
    <td role="cell"><span class="badge ${tone}">${word}</span></td>
    <td role="cell"><code>${rule.text}</code></td>
    <td role="cell">
      ${found}
      ${verdict !== "no rule" && verdictBadge(verdict)}${needed && markup `<small>${(0,judgement_words/* neededText */.Nd)(needed)} would decide</small>`}${placesOf(places)}
    </td>
  </tr>`;
}
function endingOf({ holds, rule }) {
    if (holds === true)
        return { tone: "good", word: "✓ holds" };
    if (holds === undefined)
        return { tone: "", word: "– not judged" };
    return rule.isWarning ? { tone: "warn", word: "! warns" } : { tone: "bad", word: "✗ broken" };
}
const MOST_PLACES = 3;
function placesOf(places) {
    if (places.length === 0)
        return undefined;
    const rest = places.length - MOST_PLACES;
    const more = rest > 0 && ` and ${(0,text_number/* countText */.lT)(rest)} more`;
    return markup `<small>${places.slice(0, MOST_PLACES).map(errors/* placeText */.Z9).join("; ")}${more}</small>`;
}
const MOST_METRICS = 200;
/** The metrics with their changes as a forest plot: each interval against 0, and against what a rule allows. */
function metricsSection({ metrics, rules, baseline }) {
    if (metrics.length === 0)
        return markup `<section id="metrics">
      <h2>Metrics</h2>
      <p class="soft">There is no metric.</p>
    </section>`;
    const shown = metrics.slice(0, MOST_METRICS);
    const rest = metrics.length - shown.length;
    const isCompared = baseline !== undefined;
    const groups = forestOf(shown, rules);
    return markup `<section id="metrics" aria-labelledby="metrics-heading">
    <h2 id="metrics-heading">Metrics</h2>
    <table class="metrics ${isCompared ? "" : "alone"}" role="table" aria-labelledby="metrics-heading">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Metric</th>
          ${isCompared &&
        markup `<th role="columnheader" scope="col" class="plot">
                <span class="ends"><span>← worse</span><span>change</span><span>better →</span></span>
              </th>
              <th role="columnheader" scope="col" class="n">Change [95 %]</th>`}
          <th role="columnheader" scope="col" class="n">Now [95 %]</th>
          ${isCompared &&
        markup `<th role="columnheader" scope="col" class="n">Baseline</th>
              <th role="columnheader" scope="col" class="n">p</th>`}
        </tr>
      </thead>
      ${groups.map((group) => groupRows(group, isCompared))}
    </table>
    ${isCompared && legendOf(groups)} ${rest > 0 && markup `<p class="soft">${String(rest)} more are not shown.</p>`}
  </section>`;
}
function groupRows(group, isCompared) {
    const rows = group.metrics.map((metric) => metricRow(metric, group, isCompared));
    const axis = group.axis &&
        markup `<tr class="ticks" aria-hidden="true">
      <td></td>
      <td class="plot">${group.axis}</td>
      <td colspan="4"></td>
    </tr>`;
    return markup `<tbody role="rowgroup">
    ${rows}${axis}
  </tbody>`;
}
function metricRow(metric, group, isCompared) {
    const { comparison, verdict, baseline, facts } = metric;
    const change = comparison && (0,judgement_words/* comparisonText */.VF)(facts, comparison);
    return markup `<tr role="row">
    <th role="rowheader" scope="row"><span class="metric">${(0,judgement_words/* nameOf */.Vb)(metric)}</span> ${isCompared && verdict !== "no rule" && verdictBadge(verdict)}</th>
    ${isCompared &&
        markup `<td role="cell" class="plot">${group.rowOf(metric)}</td>
        <td role="cell" class="n" data-label="change">${change ?? "not compared"}${notesOf(metric)}</td>`}
    <td role="cell" class="n" data-label="now">${levelCell(metric, metric.now)}</td>
    ${isCompared &&
        markup `<td role="cell" class="n" data-label="baseline">${levelCell(metric, baseline)}</td>
        <td role="cell" class="n" data-label="p">${pCell(metric)}</td>`}
  </tr>`;
}
function levelCell({ metric, facts }, level) {
    if (level === undefined)
        return "none";
    const { p50, p95 } = level.quantiles;
    const mean = (0,judgement_words/* levelText */.WB)(metric, level.mean, level.interval);
    if (facts.kind !== "positive")
        return mean;
    return markup `${mean}<small>median ${(0,judgement_words/* valueText */.Ru)(metric, p50)}, p95 ${(0,judgement_words/* valueText */.Ru)(metric, p95)}</small>`;
}
function pCell({ comparison, adjustedP }) {
    if (comparison === undefined)
        return "";
    const number = (p) => (0,judgement_words/* pText */.C6)(p).replace(/^p /, "");
    const adjusted = adjustedP !== undefined && adjustedP !== comparison.p && markup `<small>over all rules ${number(adjustedP)}</small>`;
    return markup `${number(comparison.p)}${adjusted}`;
}
/** What puts a change into proportion. */
function notesOf({ comparison, noise, ifMissing, facts }) {
    if (comparison === undefined)
        return undefined;
    const { scale } = comparison;
    const between = noise !== undefined &&
        markup `<small>baseline runs differ by up to ${(0,judgement_words/* changeText */.k0)(facts, scale, noise).replace(/^\+/, "")}</small>`;
    const missing = ifMissing &&
        markup `<small>missing scores could make it ${(0,judgement_words/* changeText */.k0)(facts, "difference", ifMissing.worst)} to
      ${(0,judgement_words/* changeText */.k0)(facts, "difference", ifMissing.best)}</small>`;
    return [between, missing];
}
function legendOf(groups) {
    if (groups.every(({ axis }) => axis === undefined))
        return undefined;
    const hasMargin = groups.some(({ hasMargin: has }) => has);
    return markup `<p class="legend soft">
    <span class="mark dot"></span> change with the range it lies in (95 %)
    <span class="mark bar"></span> no change, worse is to its left
    ${hasMargin && markup `<span class="mark zone"></span> more harm than a rule allows`}
  </p>`;
}

;// CONCATENATED MODULE: ./src/judgement/report/scatter.js




// With so few places each has a bubble with its count.
const MOST_BUBBLES = 30;
// Of a fine grid, for many places.
const CELL = 4;
const LARGEST_RADIUS = 26;
/** Each case: the baseline to the right, now upwards; below or above the diagonal it got worse. */
function scatterOf({ metric, facts, pairs }) {
    if (pairs.length === 0)
        return undefined;
    const all = pairs.flat();
    const [low, high] = [Math.min(facts.low ?? Infinity, least(all)), Math.max(facts.high ?? -Infinity, most(all))];
    const places = new Set(pairs.map(([before, now]) => `${String(before)} ${String(now)}`));
    const isBubbles = places.size <= MOST_BUBBLES;
    const room = isBubbles ? LARGEST_RADIUS + 14 : 6;
    const axis = (name, [from, to]) => {
        const inner = Math.sign(to - from) * room;
        const isYesOrNo = facts.kind === "binary" && all.every(Number.isInteger);
        const [isLog, ticks] = [facts.kind === "positive" && low > 0, isYesOrNo ? 1 : 4];
        return axisOf({
            name,
            low,
            high,
            range: [from + inner, to - inner],
            isLog,
            ticks,
            text: (v) => (0,judgement_words/* valueText */.Ru)(metric, v),
        });
    };
    const [x, y] = [axis("baseline →", HORIZONTAL), axis("now ↑", VERTICAL)];
    const spots = spotsOf(pairs, { x, y, facts, cell: isBubbles ? undefined : CELL });
    const count = (tone) => spots.reduce((sum, spot) => sum + (spot.tone === tone ? spot.count : 0), 0);
    const [worse, better, same] = [count("worse"), count("better"), count("same")];
    const words = `${(0,text_number/* countText */.lT)(worse)} worse, ${(0,text_number/* countText */.lT)(better)} better, ${(0,text_number/* countText */.lT)(same)} the same`;
    const image = chart({
        title: `${metric}: each case, baseline against now`,
        description: `${(0,text_number/* countOf */.pq)(pairs.length, "case")}: ${words}.`,
        ...{ x, y },
        marks: [diagonal(x, y, low, high), isBubbles ? bubbles(spots) : dots(spots), corners(facts)],
    });
    const about = markup `${worse > 0 ? markup `<span class="worse">${(0,text_number/* countText */.lT)(worse)} worse</span>` : "0 worse"},
  ${better > 0 ? markup `<span class="better">${(0,text_number/* countText */.lT)(better)} better</span>` : "0 better"}, ${(0,text_number/* countText */.lT)(same)} the
  same`;
    return figure({ heading: `${metric}: each case`, about, chart: image });
}
// As close as differences are compared.
const scatter_SAME = 5e-10;
function spotsOf(pairs, { x, y, facts, cell }) {
    const spots = new Map();
    const rounded = (at) => (cell === undefined ? at : Math.round(at / cell) * cell);
    for (const [before, now] of pairs) {
        const gain = facts.direction === "higher" ? now - before : before - now;
        const tone = Math.abs(gain) <= scatter_SAME ? "same" : gain > 0 ? "better" : "worse";
        const [left, top] = [rounded(x.at(before)), rounded(y.at(now))];
        const key = `${n(left)} ${n(top)} ${tone}`;
        const spot = spots.get(key) ?? { x: left, y: top, tone, count: 0 };
        spots.set(key, spot);
        spot.count += 1;
    }
    return [...spots.values()];
}
function diagonal(x, y, low, high) {
    const ends = [x.at(low), y.at(low), x.at(high), y.at(high)].map(n);
    return markup `<line class="zero" x1="${ends[0]}" y1="${ends[1]}" x2="${ends[2]}" y2="${ends[3]}" />`;
}
/** Names what the two sides of the diagonal mean. */
function corners({ direction }) {
    const [above, below] = direction === "higher" ? ["better", "worse"] : ["worse", "better"];
    const { left, right, top, bottom } = FRAME;
    return markup `<text class="corner ${above}" x="${left + 6}" y="${top + 8}">${above}</text>
    <text class="corner ${below}" x="${right - 4}" y="${bottom - 8}" text-anchor="end">${below}</text>`;
}
function bubbles(spots) {
    const largest = Math.max(...spots.map(({ count }) => count));
    return spots
        .toSorted((a, b) => b.count - a.count)
        .map(({ x, y, tone, count }) => {
        const radius = Math.max(3, Math.sqrt(count / largest) * LARGEST_RADIUS);
        const [side, anchor] = radius > 11 ? [x, "middle"] : [x + radius + 3, "start"];
        return markup `<circle class="spot ${tone}" cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" />
        <text class="count" x="${n(side)}" y="${n(y + 4)}" text-anchor="${anchor}">${(0,text_number/* countText */.lT)(count)}</text>`;
    });
}
/** Points of four shades as a few paths, the darker the more cases: 10,000 cases are a few kilobytes. */
function dots(spots) {
    const largest = most(spots.map(({ count }) => count));
    const shadeOf = (count) => String(Math.ceil(4 * Math.sqrt(count / largest)));
    const groups = Map.groupBy(spots, ({ tone, count }) => `${tone} shade-${shadeOf(count)}`);
    return [...groups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, group]) => {
        return markup `<path class="dots ${name}" d="${group.map(({ x, y }) => `M${n(x)} ${n(y)}h0`).join("")}" />`;
    });
}
function least(values) {
    return values.reduce((one, other) => Math.min(one, other), Infinity);
}
function most(values) {
    return values.reduce((one, other) => Math.max(one, other), -Infinity);
}

// EXTERNAL MODULE: ./src/text/duration.js
var duration = __webpack_require__(9144);
// EXTERNAL MODULE: ./src/text/quoted.js
var quoted = __webpack_require__(5564);
;// CONCATENATED MODULE: ./src/judgement/report/page.js















/** A judgement as one page that loads nothing, and in which foreign text never acts. */
async function renderReport(judged, options) {
    const { judgement } = judged;
    const { dataset } = judgement.now;
    const title = options.title ?? dataset.name ?? dataset.id ?? "Evaluation";
    const table = tableOfCases(judged);
    const texts = options.showsTexts ? textsOf(table.cases) : undefined;
    const page = markup `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="viewport" content="width=device-width">
<title>${STATUSES[judgement.status].word}: ${title}</title>
<style>${new Markup(STYLE)}</style>
<body>
<a class="skip" href="#cases">Skip to the cases</a>
<header>
<p class="about"><span class="badge ${STATUSES[judgement.status].tone}">${STATUSES[judgement.status].word}</span> <span>${title}</span></p>
<h1>${prose(judgement.headline)}</h1>
<p class="soft">${sidesOf(judgement)}</p>
${linksOf(table)}
</header>
<main>
${noticesOf(judgement)}
${metricsSection(judgement)}
${rulesSection(judgement)}
${chartsSection(judged)}
${runFacts(judgement)}
${casesSection(table, texts)}
</main>
<script>${new Markup(SCRIPT)}</script>
</html>
`;
    return await Promise.resolve(page.text);
}
const SCRIPT = `(${runPage.toString()})({
document: document,
parseCases: JSON.parse,
parseTexts: JSON.parse,
later: (work) => (window.requestIdleCallback ?? window.setTimeout)(work),
});`;
function hashOf(content) {
    return `'sha256-${(0,external_node_crypto_.createHash)("sha256").update(content).digest("base64")}'`;
}
const CONTENT_SECURITY_POLICY = [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
].join("; ");
const STATUSES = {
    passed: { word: "Passed", tone: "good" },
    warned: { word: "Passed with warnings", tone: "warn" },
    failed: { word: "Failed", tone: "bad" },
    incomplete: { word: "Incomplete", tone: "warn" },
    bootstrap: { word: "No baseline yet", tone: "" },
    none: { word: "Not judged", tone: "" },
};
/** What was measured against what. */
function sidesOf({ now, baseline }) {
    const side = ({ cases, trials, commit, created }) => [
        (0,judgement_words/* sizeText */.lP)(cases, trials),
        ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
        timeText(created),
    ].join(", ");
    if (baseline === undefined)
        return side(now);
    const runs = baseline.runs > 1 ? ` of ${(0,text_number/* countOf */.pq)(baseline.runs, "run")}` : "";
    return `${side(now)}; against ${side(baseline)}${runs}`;
}
const LINKED = [
    ["newly failing", "worse"],
    ["worse", "worse"],
    ["newly flaky", "worse"],
    ["without a score", "warn"],
    ["with error", "warn"],
    ["fixed", "better"],
    ["better", "better"],
];
/** How many cases went which way in the metric that the table begins with; each leads to its cases. */
function linksOf({ data }) {
    const columns = data.metrics[data.first];
    if (columns === undefined)
        return undefined;
    const links = LINKED.flatMap(([trait, tone]) => {
        const bit = bitOf(trait);
        const cases = columns.traits.filter((traits) => (traits & bit) !== 0).length;
        const link = markup `<li class="${tone}"><a href="#cases" data-metric="${data.first}" data-trait="${data.traits.indexOf(trait)}"><b>${(0,text_number/* countText */.lT)(cases)}</b> ${trait}</a></li>`;
        return cases === 0 ? [] : [link];
    });
    if (links.length === 0)
        return undefined;
    return markup `<div class="links"><span class="soft">Cases by ${columns.name}:</span><ul>${links}</ul></div>`;
}
const MOST_NOTICES = 50;
/** What keeps the judgement from being whole, and what else its reader should know. */
function noticesOf({ gaps, warnings }) {
    const all = [
        ...gaps.map(({ message }) => markup `<li class="gap">${prose(message)}</li>`),
        ...warnings.map((warning) => markup `<li>${prose(warning)}</li>`),
    ];
    if (all.length === 0)
        return undefined;
    const rest = all.length - MOST_NOTICES;
    return markup `<ul class="notices" aria-label="Gaps and warnings">
    ${all.slice(0, MOST_NOTICES)}${rest > 0 && markup `<li>${(0,text_number/* countText */.lT)(rest)} more.</li>`}
  </ul>`;
}
const MOST_CHARTED = 8;
/** How the cases lie in the metrics that rules are about; those of the others are folded. */
function chartsSection(judged) {
    const ruled = new Set(judged.judgement.rules.map(({ rule: { value } }) => (value.of === "metric" ? value.metric : "")));
    const all = chartedMetrics(judged);
    const shown = all.slice(0, MOST_CHARTED).flatMap((charted) => {
        const isPositive = charted.facts.kind === "positive";
        const drawn = [scatterOf(charted), isPositive ? latencyCurveOf(charted) : distributionOf(charted)];
        const figures = drawn.filter((each) => each !== undefined);
        return figures.length === 0 ? [] : [{ isRuled: ruled.has(charted.metric), figures }];
    });
    const [first, others] = [shown.filter(({ isRuled }) => isRuled), shown.filter(({ isRuled }) => !isRuled)];
    if (shown.length === 0)
        return undefined;
    const rest = all.length - MOST_CHARTED;
    const figuresOf = (part) => markup `<div class="figures">${part.map(({ figures }) => figures)}</div>`;
    const folded = markup `<details><summary>Charts of ${(0,text_number/* countOf */.pq)(others.length, "metric")} without a rule</summary>${figuresOf(others)}</details>`;
    return markup `<section id="charts" aria-labelledby="charts-heading">
    <h2 id="charts-heading">How the cases lie</h2>
    ${figuresOf(first.length === 0 ? others : first)}
    ${first.length > 0 && others.length > 0 && folded}
    ${rest > 0 && markup `<p class="soft">${(0,text_number/* countOf */.pq)(rest, "more metric")} ${rest === 1 ? "has" : "have"} no charts here.</p>`}
  </section>`;
}
const FACTS = [
    ["Measured", ({ cases, trials }) => (0,judgement_words/* sizeText */.lP)(cases, trials)],
    ["Rows with an error", ({ errors }) => (0,text_number/* countText */.lT)(errors)],
    ["Commit", ({ commit }) => commit],
    ["Branch or tag", ({ ref }) => ref],
    ["Agent revision", ({ agentRevision }) => agentRevision],
    ["Evaluator", ({ evaluator }) => evaluator],
    ["Dataset", ({ dataset: { name, id } }) => name ?? id],
    ["Workflow run", ({ run }) => run],
    ["Ended", ({ created }) => timeText(created)],
    ["Cases at once", ({ concurrency }) => (concurrency === undefined ? undefined : (0,text_number/* countText */.lT)(concurrency))],
];
const MOST_SOURCES = 20;
/** What was measured on both sides: of what, by which evaluator, and when. */
function runFacts({ now, baseline }) {
    const rows = FACTS.flatMap(([name, of]) => {
        const [ours, theirs] = [of(now), baseline && of(baseline)];
        return ours === undefined && theirs === undefined ? [] : [row(name, ours ?? "–", baseline && (theirs ?? "–"))];
    });
    if (baseline !== undefined) {
        const age = Date.parse(now.created) - Date.parse(baseline.created);
        if (age > 0)
            rows.push(row("Age of the baseline", "", (0,duration/* elapsedText */.QF)(age)));
        const names = (0,quoted/* listed */.KE)(baseline.sources, { conjunction: "and", most: MOST_SOURCES });
        rows.push(row(baseline.runs > 1 ? `Files of ${String(baseline.runs)} runs` : "Files", "", names));
    }
    return markup `<section id="runs" aria-labelledby="runs-heading">
    <h2 id="runs-heading">${baseline === undefined ? "What was measured" : "What was compared"}</h2>
    <table aria-labelledby="runs-heading">
      <thead>
        <tr>
          <td></td>
          <th scope="col">Now</th>
          ${baseline && markup `<th scope="col">Baseline</th>`}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}
function row(name, now, baseline) {
    return markup `<tr>
    <th scope="row">${name}</th>
    <td>${now}</td>
    ${baseline !== undefined && markup `<td>${baseline}</td>`}
  </tr>`;
}
/** `2026-11-22 10:00 UTC`; a time that is none stays as it is. */
function timeText(created) {
    const [, day = created, minute = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(created) ?? [];
    return minute === "" ? day : `${day} ${minute} UTC`;
}


/***/ })

};
