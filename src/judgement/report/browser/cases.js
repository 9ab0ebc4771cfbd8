"use strict";
// The script of the page: sorts, filters and unfolds the table of cases. The page holds this file as it is. Foreign text
// becomes textContent and nothing else.

const ROWS_OF_PAGE = 200;

/** @type {CasesData} */
const data = JSON.parse(find("cases-data", HTMLScriptElement).text);
/** @type {readonly HTMLScriptElement[]} */
const blocks = [...document.querySelectorAll("script.texts-data")].filter(
  (block) => block instanceof HTMLScriptElement,
);
/** @type {(readonly (CaseTexts | null)[])[]} */
const texts = [];
/** @type {string[]} */
const haystacks = [];
/** @type {string[]} */
const stated = [];
const body = find("rows", HTMLTableSectionElement);
const metricSelect = find("metric", HTMLSelectElement);
const traitSelect = find("trait", HTMLSelectElement);
const labelSelect = find("label", HTMLSelectElement);
const query = find("query", HTMLInputElement);
const count = find("count", HTMLElement);
const previousButton = find("previous", HTMLButtonElement);
const nextButton = find("next", HTMLButtonElement);
/** @type {NodeListOf<HTMLElement>} */
const headers = document.querySelectorAll("[data-sort]");
let sort = data.isCompared ? "change" : "now";
let isDown = data.isCompared || data.metrics[data.first]?.isLowerBetter === true;
let start = 0;
/** @type {readonly number[]} */
let shown = [];
/** @type {Map<string, readonly number[]>} */
const orders = new Map();

body.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  const line = button?.closest("tr");
  if (button == null || line == null) return;
  const isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) line.nextElementSibling?.remove();
  else line.after(detailOf(Number(button.dataset["row"])));
});
for (const header of headers) {
  header.addEventListener("click", () => {
    const name = header.dataset["sort"] ?? "";
    isDown = name === sort ? !isDown : name !== "case";
    sort = name;
    selectRows();
  });
}
/** @type {NodeListOf<HTMLElement>} */
const links = document.querySelectorAll("[data-trait]");
for (const link of links) {
  link.addEventListener("click", () => {
    metricSelect.value = link.dataset["metric"] ?? metricSelect.value;
    [traitSelect.value, labelSelect.value, query.value] = [link.dataset["trait"] ?? "", "", ""];
    showMetric();
  });
}
metricSelect.addEventListener("change", showMetric);
for (const control of [traitSelect, labelSelect]) control.addEventListener("change", selectRows);
query.addEventListener("input", selectRows);
previousButton.addEventListener("click", () => turnPage(-1));
nextButton.addEventListener("click", () => turnPage(1));
metricSelect.value = String(data.first);
showMetric();
later(readAhead);

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function find(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}.`);
  return element;
}

/**
 * @param {string} name
 * @param {string} className
 * @param {readonly (Node | string)[]} content
 */
function make(name, className, ...content) {
  const element = document.createElement(name);
  element.className = className;
  // On a phone the table is laid out as blocks, which takes these from a browser.
  const role = { tr: "row", td: "cell", th: "rowheader" }[name];
  if (role !== undefined) element.setAttribute("role", role);
  element.append(...content);
  return element;
}

/**
 * Runs work when the page has nothing else to do.
 * @param {() => void} work
 */
function later(work) {
  (window.requestIdleCallback ?? window.setTimeout)(work);
}

function shownMetric() {
  return data.metrics[Number(metricSelect.value)];
}

/**
 * The texts of a block are read when they are asked for.
 * @param {number} row
 */
function textsOf(row) {
  const block = Math.floor(row / ROWS_OF_PAGE);
  const element = blocks[block];
  if (element === undefined) return undefined;
  const read = (texts[block] ??= JSON.parse(element.text));
  return read[row % ROWS_OF_PAGE];
}

/** @param {number} row */
function labelsOf(row) {
  return (data.metadata[row] ?? []).map((label) => data.labels[label] ?? "").join(", ");
}

/**
 * What a search looks through; it is more once the texts are read.
 * @param {number} row
 */
function statedOf(row) {
  return (stated[row] ??= `${data.names[row] ?? ""}\n${data.places[row] ?? ""}\n${labelsOf(row)}`.toLowerCase());
}

/** @param {number} row */
function haystackOf(row) {
  const { inputs = "", expected = "", now = [], baseline = [] } = textsOf(row) ?? {};
  const outputs = [...now, ...baseline].map(({ output = "", error = "" }) => `${output}\n${error}`);
  return `${statedOf(row)}\n${[inputs, expected, ...outputs].join("\n").toLowerCase()}`;
}

function readAhead() {
  const end = Math.min(haystacks.length + ROWS_OF_PAGE, data.names.length);
  for (let row = haystacks.length; row < end; row += 1) haystacks.push(haystackOf(row));
  if (end < data.names.length) later(readAhead);
  else if (query.value !== "") selectRows();
}

/**
 * What the rows are sorted by, by row.
 * @returns {readonly (number | string | null)[]}
 */
function sortValues() {
  if (sort === "case") return data.names;
  const columns = shownMetric();
  // The worst of the bits is the lowest.
  if (sort === "verdict") return (columns?.traits ?? []).map((bits) => (bits === 0 ? null : -(bits & -bits)));
  return (sort === "change" ? columns?.harm : sort === "now" ? columns?.now : columns?.baseline) ?? [];
}

/** All rows in the order of the table, which no filter changes; rows without a value are last. */
function sorted() {
  const name = `${metricSelect.value} ${sort} ${String(isDown)}`;
  const known = orders.get(name);
  if (known !== undefined) return known;
  const values = sortValues();
  const turn = isDown ? -1 : 1;
  const all = [...data.names.keys()];
  const [rows, others] = [all.filter((row) => values[row] != null), all.filter((row) => values[row] == null)];
  rows.sort((a, b) => {
    const [one, other] = [values[a] ?? 0, values[b] ?? 0];
    return one === other ? a - b : one < other ? -turn : turn;
  });
  const order = [...rows, ...others];
  orders.set(name, order);
  return order;
}

function selectRows() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const label = labelSelect.value === "" ? -1 : Number(labelSelect.value);
  const bit = traitSelect.value === "" ? 0 : 1 << Number(traitSelect.value);
  const traits = shownMetric()?.traits ?? [];
  shown = sorted().filter((row) => {
    if (bit !== 0 && ((traits[row] ?? 0) & bit) === 0) return false;
    if (label !== -1 && !(data.metadata[row] ?? []).includes(label)) return false;
    const haystack = words.length === 0 ? "" : (haystacks[row] ?? statedOf(row));
    return words.every((word) => haystack.includes(word));
  });
  start = 0;
  showRows();
}

function showRows() {
  const rows = shown.slice(start, start + ROWS_OF_PAGE);
  body.replaceChildren(...rows.map(lineOf));
  for (const header of headers) {
    const state = header.dataset["sort"] === sort ? (isDown ? "descending" : "ascending") : "none";
    header.setAttribute("aria-sort", state);
  }
  previousButton.disabled = start === 0;
  nextButton.disabled = start + ROWS_OF_PAGE >= shown.length;
  const all = data.names.length.toLocaleString("en");
  const found = shown.length.toLocaleString("en");
  const range = rows.length === shown.length ? "" : `, showing ${start + 1} to ${start + rows.length}`;
  const isReading = query.value !== "" && haystacks.length < data.names.length;
  const none = isReading ? "Searching …" : "No case matches the filter.";
  count.textContent = shown.length === 0 ? none : `${found} of ${all} cases${range}${isReading ? " so far" : ""}`;
}

/** @param {number} row */
function lineOf(row) {
  const columns = shownMetric();
  const harm = columns?.harm[row] ?? 0;
  const tone = harm > 0 ? "worse" : harm < 0 ? "better" : "";
  const button = make("button", "unfold", data.names[row] ?? "");
  button.setAttribute("aria-expanded", "false");
  button.dataset["row"] = String(row);
  const name = make("th", "", button);
  name.setAttribute("scope", "row");
  return make(
    "tr",
    "",
    name,
    make("td", tone, wordsOf(columns?.traits[row] ?? 0)),
    make("td", "n", columns?.baselineTexts[row] ?? ""),
    make("td", "n", columns?.nowTexts[row] ?? ""),
    make("td", `n ${tone}`, columns?.changeTexts[row] ?? ""),
  );
}

/** @param {number} bits */
function wordsOf(bits) {
  const words = data.traits.filter((_, at) => (bits & (1 << at)) !== 0);
  return (words.includes("newly flaky") ? words.filter((word) => word !== "flaky") : words).join(", ");
}

/** @param {number} row */
function detailOf(row) {
  const facts = make("dl", "facts");
  /** @type {(name: string, value: string) => void} */
  const fact = (name, value) => {
    if (value !== "") facts.append(make("div", "", make("dt", "", name), make("dd", "", value)));
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
}

/** @param {number} row */
function textPartsOf(row) {
  const found = textsOf(row);
  if (found === undefined) return [];
  if (found === null)
    return [make("p", "soft", "The texts of this case were left out to limit the size of this page.")];
  const { inputs, expected, against, baseline, now } = found;
  const reference = against === "expected" ? (expected ?? "") : (baseline[0]?.output ?? "");
  /** @type {(heading: string, trials: readonly TrialText[]) => HTMLElement} */
  const side = (heading, trials) =>
    make("div", "side", make("h3", "", heading), ...trials.flatMap((trial) => trialParts(trial, reference)));
  const parts = inputs === undefined ? [] : [make("h3", "", "Input"), make("pre", "", inputs)];
  if (expected !== undefined) parts.push(make("h3", "", "Expected"), make("pre", "", expected));
  if (against !== undefined) {
    const what = against === "expected" ? "what was expected" : "the baseline";
    const [left, added] = [make("del", "", "left out"), make("ins", "", "added")];
    parts.push(make("p", "legend soft", `Compared with ${what}: `, left, " ", added));
  }
  const sides = baseline.length === 0 ? [] : [side("Baseline", baseline)];
  if (now.length > 0) sides.push(side("Now", now));
  return [...parts, make("div", "sides", ...sides)];
}

/**
 * @param {TrialText} trial
 * @param {string} reference
 */
function trialParts({ output, error, diff = [], times }, reference) {
  const parts = times === undefined ? [] : [make("p", "soft", `${times} trials alike`)];
  if (error !== undefined) parts.push(make("pre", "fault", error));
  if (output === undefined) return error === undefined ? [...parts, make("p", "soft", "No output.")] : parts;
  const box = make("pre", "");
  let [from, to] = [0, 0];
  for (let at = 0; at < diff.length; at += 3) {
    const [same = 0, removed = 0, added = 0] = diff.slice(at, at + 3);
    box.append(output.slice(to, to + same));
    if (removed > 0) box.append(make("del", "", reference.slice(from + same, from + same + removed)));
    if (added > 0) box.append(make("ins", "", output.slice(to + same, to + same + added)));
    [from, to] = [from + same + removed, to + same + added];
  }
  box.append(output.slice(to));
  return [...parts, box];
}

/** @param {number} by */
function turnPage(by) {
  start += by * ROWS_OF_PAGE;
  showRows();
  find("cases", HTMLElement).scrollIntoView();
  // The button that was pressed may be disabled now.
  body.querySelector("button")?.focus();
}

/** Shows another metric: how many cases have each trait in it, and its cases. */
function showMetric() {
  const counts = data.traits.map(() => 0);
  for (const bits of shownMetric()?.traits ?? []) {
    for (let at = 0; at < counts.length; at += 1) counts[at] = (counts[at] ?? 0) + ((bits >> at) & 1);
  }
  for (const option of traitSelect.options) {
    if (option.value === "") continue;
    const cases = counts[Number(option.value)] ?? 0;
    option.textContent = `${data.traits[Number(option.value)] ?? ""} (${cases.toLocaleString("en")})`;
    option.hidden = cases === 0;
  }
  selectRows();
}
