import type { CaseTexts, MetricColumns, PageElement, PageHost, TrialText } from "./cases-data.ts";

/**
 * The script of the page: sorts, filters and unfolds the table of cases. The page holds the text of this function, so all
 * that it uses is inside of it. Foreign text becomes textContent and nothing else.
 */
export function runPage({ document, parseCases, parseTexts, later }: PageHost): void {
  const rowsOfPage = 200;
  const find = (id: string): PageElement => {
    const element = document.getElementById(id);
    if (element === null) throw new Error(`The page has no ${id}.`);
    return element;
  };
  const make = (name: string, className: string, ...content: readonly (PageElement | string)[]): PageElement => {
    const element = document.createElement(name);
    element.className = className;
    // On a phone the table is laid out as blocks, which takes these from a browser.
    const role = { tr: "row", td: "cell", th: "rowheader" }[name];
    if (role !== undefined) element.setAttribute("role", role);
    element.append(...content);
    return element;
  };

  const data = parseCases(find("cases-data").textContent ?? "");
  const blocks = [...document.querySelectorAll(".texts-data")];
  const texts: (readonly (CaseTexts | null)[])[] = [];
  const [haystacks, stated]: [string[], string[]] = [[], []];
  const [body, metricSelect, traitSelect, labelSelect] = [find("rows"), find("metric"), find("trait"), find("label")];
  const [query, count, previous, next] = [find("query"), find("count"), find("previous"), find("next")];
  const headers = [...document.querySelectorAll("[data-sort]")];
  let sort = data.isCompared ? "change" : "now";
  let isDown = data.isCompared || data.metrics[data.first]?.isLowerBetter === true;
  let [start, shown]: [number, readonly number[]] = [0, []];
  const orders = new Map<string, readonly number[]>();

  const metric = (): MetricColumns | undefined => data.metrics[Number(metricSelect.value)];

  /** The texts of a block are read when they are asked for. */
  const textsOf = (row: number): CaseTexts | null | undefined => {
    const block = Math.floor(row / rowsOfPage);
    const element = blocks[block];
    if (element === undefined) return undefined;
    texts[block] ??= parseTexts(element.textContent ?? "");
    return texts[block][row % rowsOfPage];
  };

  const labelsOf = (row: number): string =>
    (data.metadata[row] ?? []).map((label) => data.labels[label] ?? "").join(", ");

  /** What a search looks through; it is more once the texts are read. */
  const statedOf = (row: number): string =>
    (stated[row] ??= `${data.names[row] ?? ""}\n${data.places[row] ?? ""}\n${labelsOf(row)}`.toLowerCase());
  const haystackOf = (row: number): string => {
    const { inputs = "", expected = "", now = [], baseline = [] } = textsOf(row) ?? {};
    const outputs = [...now, ...baseline].map(({ output = "", error = "" }) => `${output}\n${error}`);
    return `${statedOf(row)}\n${[inputs, expected, ...outputs].join("\n").toLowerCase()}`;
  };

  const readAhead = (): void => {
    const end = Math.min(haystacks.length + rowsOfPage, data.names.length);
    for (let row = haystacks.length; row < end; row += 1) haystacks.push(haystackOf(row));
    if (end < data.names.length) later(readAhead);
    else if (query.value !== "") select();
  };

  /** What the rows are sorted by, by row. */
  const sortValues = (): readonly (number | string | null)[] => {
    if (sort === "case") return data.names;
    const columns = metric();
    // The worst of the bits is the lowest.
    if (sort === "verdict") return (columns?.traits ?? []).map((bits) => (bits === 0 ? null : -(bits & -bits)));
    return (sort === "change" ? columns?.harm : sort === "now" ? columns?.now : columns?.baseline) ?? [];
  };

  /** All rows in the order of the table, which no filter changes; rows without a value are last. */
  const sorted = (): readonly number[] => {
    const name = `${metricSelect.value} ${sort} ${String(isDown)}`;
    const known = orders.get(name);
    if (known !== undefined) return known;
    const values = sortValues();
    const turn = isDown ? -1 : 1;
    const hasValue = (row: number): boolean => (values[row] ?? null) !== null;
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

  const select = (): void => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const label = labelSelect.value === "" ? -1 : Number(labelSelect.value);
    const bit = traitSelect.value === "" ? 0 : 1 << Number(traitSelect.value);
    const traits = metric()?.traits ?? [];
    shown = sorted().filter((row) => {
      if (bit !== 0 && ((traits[row] ?? 0) & bit) === 0) return false;
      if (label !== -1 && !(data.metadata[row] ?? []).includes(label)) return false;
      const haystack = words.length === 0 ? "" : (haystacks[row] ?? statedOf(row));
      return words.every((word) => haystack.includes(word));
    });
    start = 0;
    show();
  };

  const show = (): void => {
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
    const range = rows.length === shown.length ? "" : `, showing ${start + 1} to ${start + rows.length}`;
    const isReading = query.value !== "" && haystacks.length < data.names.length;
    const none = isReading ? "Searching …" : "No case matches the filter.";
    count.textContent = shown.length === 0 ? none : `${found} of ${all} cases${range}${isReading ? " so far" : ""}`;
  };

  const lineOf = (row: number): PageElement => {
    const columns = metric();
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
  };

  const wordsOf = (bits: number): string => {
    const words = data.traits.filter((_, at) => (bits & (1 << at)) !== 0);
    return (words.includes("newly flaky") ? words.filter((word) => word !== "flaky") : words).join(", ");
  };

  const detailOf = (row: number): PageElement => {
    const facts = make("dl", "facts");
    const fact = (name: string, value: string) => {
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
  };

  const textPartsOf = (row: number): readonly PageElement[] => {
    const found = textsOf(row);
    if (found === undefined) return [];
    if (found === null)
      return [make("p", "soft", "The texts of this case were left out to limit the size of this page.")];
    const { inputs, expected, against, baseline, now } = found;
    const reference = against === "expected" ? (expected ?? "") : (baseline[0]?.output ?? "");
    const side = (heading: string, trials: readonly TrialText[]) =>
      make("div", "side", make("h3", "", heading), ...trials.flatMap((trial) => trialParts(trial, reference)));
    const parts = [inputs === undefined ? [] : [make("h3", "", "Input"), make("pre", "", inputs)]].flat();
    if (expected !== undefined) parts.push(make("h3", "", "Expected"), make("pre", "", expected));
    if (against !== undefined) {
      const what = against === "expected" ? "what was expected" : "the baseline";
      const [left, added] = [make("del", "", "left out"), make("ins", "", "added")];
      parts.push(make("p", "legend soft", `Compared with ${what}: `, left, " ", added));
    }
    const sides = baseline.length === 0 ? [] : [side("Baseline", baseline)];
    if (now.length > 0) sides.push(side("Now", now));
    return [...parts, make("div", "sides", ...sides)];
  };

  const trialParts = ({ output, error, diff, times }: TrialText, reference: string): readonly PageElement[] => {
    const parts = times === undefined ? [] : [make("p", "soft", `${times} trials alike`)];
    if (error !== undefined) parts.push(make("pre", "fault", error));
    if (output === undefined) return error === undefined ? [...parts, make("p", "soft", "No output.")] : parts;
    const box = make("pre", "");
    let [from, to] = [0, 0];
    for (let at = 0; at < (diff?.length ?? 0); at += 3) {
      const [same = 0, removed = 0, added = 0] = diff?.slice(at, at + 3) ?? [];
      box.append(output.slice(to, to + same));
      if (removed > 0) box.append(make("del", "", reference.slice(from + same, from + same + removed)));
      if (added > 0) box.append(make("ins", "", output.slice(to + same, to + same + added)));
      [from, to] = [from + same + removed, to + same + added];
    }
    box.append(output.slice(to));
    return [...parts, box];
  };

  const turnPage = (by: number): void => {
    start += by * rowsOfPage;
    show();
    find("cases").scrollIntoView();
    // The button that was pressed may be disabled now.
    body.querySelector("button")?.focus();
  };

  /** Shows another metric: how many cases have each trait in it, and its cases. */
  const showMetric = (): void => {
    const counts = data.traits.map(() => 0);
    for (const bits of metric()?.traits ?? []) {
      for (let at = 0; at < counts.length; at += 1) counts[at] = (counts[at] ?? 0) + ((bits >> at) & 1);
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
    if (button === null || line === null) return;
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
  for (const control of [traitSelect, labelSelect]) control.addEventListener("change", select);
  query.addEventListener("input", select);
  previous.addEventListener("click", turnPage.bind(undefined, -1));
  next.addEventListener("click", turnPage.bind(undefined, 1));
  metricSelect.value = String(data.first);
  showMetric();
  later(readAhead);
}
