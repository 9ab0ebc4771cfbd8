export const id=`src.judgement.report.page`;export const ids=[`src.judgement.report.page`];export const modules={309599:((e,t,r)=>{r.d(t,{renderReport:()=>renderReport});var i=r(791722);var a=r(328933);var o=r(962338);var s=r(121075);var c=r(405120);var l=r(859800);var u=r(604291);var d=r(77590);;const f=200;const p=[[`case`,`Case`,``],[`verdict`,`What happened`,``],[`baseline`,`Baseline`,`n`],[`now`,`Now`,`n`],[`change`,`Change`,`n`]];function casesSection({data:e,labels:t,total:r},a){const o=r-e.names.length;const s=e.metrics.map(({name:e},t)=>cases_section_option(String(t),e));const c=e.traits.map((e,t)=>cases_section_option(String(t),e));const u=a===undefined?`name or metadata`:`name, metadata or text`;const d=Array.from({length:Math.ceil((a?.length??0)/f)},(e,t)=>{const r=a?.slice(t*f,(t+1)*f);return(0,l.PT)`<script type="application/json" class="texts-data">${(0,l.Pu)(r)}<\/script>\n`});return(0,l.PT)`<section id="cases" aria-labelledby="cases-heading">
      <h2 id="cases-heading">Cases</h2>
      <noscript><p>The table of cases needs JavaScript.</p></noscript>
      <div role="search" class="controls">
        <label>Metric <select id="metric">${s}</select></label>
        <label>What happened <select id="trait"><option value="">all cases</option>${c}</select></label>
        <label>Metadata <select id="label"><option value="">all</option>${groupsOf(t)}</select></label>
        <label class="wide">Search <input id="query" type="search" placeholder="${u}" autocomplete="off" spellcheck="false"></label>
      </div>
      <p id="count" class="soft" role="status"></p>
      <table class="cases ${e.isCompared?``:`alone`}" role="table" aria-labelledby="cases-heading">
        <thead role="rowgroup">
          <tr role="row">
            ${p.map(([e,t,r])=>(0,l.PT)`<th scope="col" role="columnheader" class="${r}" data-sort="${e}">
                  <button type="button">${t}</button>
                </th>`)}
          </tr>
        </thead>
        <tbody id="rows" role="rowgroup"></tbody>
      </table>
      <p class="pager">
        <button type="button" id="previous">Previous ${(0,i.lT)(f)}</button>
        <button type="button" id="next">Next ${(0,i.lT)(f)}</button>
      </p>
      ${o>0&&(0,l.PT)`<p class="soft">${(0,i.pq)(o,`case`)} with less harm ${o===1?`is`:`are`} left out of this page.</p>`}
    </section>
    <script type="application/json" id="cases-data">${(0,l.Pu)(e)}<\/script>
    ${d}`}function cases_section_option(e,t){return(0,l.PT)`<option value="${e}">${t}</option>`}const m=50;const h=20;function groupsOf(e){const t=[...Map.groupBy(e,({key:e})=>e)].filter(([,e])=>e.length<=m);return t.sort(([e],[t])=>e<t?-1:1).slice(0,h).map(([e,t])=>{const r=t.toSorted((e,t)=>t.cases-e.cases||(e.value<t.value?-1:1));const a=r.map(({number:t,value:r,cases:a})=>cases_section_option(String(t),`${e} = ${r} (${(0,i.lT)(a)})`));return(0,l.PT)`<optgroup label="${e}">${a}</optgroup>`})}const g=4e3;const _=5;const v=16e6;const y=200;function textsOf(e){let t=0;return e.map(({now:e,baseline:r})=>{if(t>v)return null;const[i,a]=[shortened(e?.inputs??r?.inputs),shortened(e?.expected??r?.expected)];const[o,s]=[trialsOf(r),trialsOf(e)];t+=(i?.length??0)+(a?.length??0);for(const{output:e=``,error:r=``}of[...o,...s])t+=e.length+r.length;const c=o[0]?.output;const l={inputs:i,expected:a};if(a===undefined&&c!==undefined){return{...l,against:`baseline`,baseline:o,now:s.map(marked(c))}}const u=a===undefined?undefined:`expected`;return{...l,against:u,baseline:o.map(marked(a)),now:s.map(marked(a))}})}function trialsOf(e){const t=e?.trials??[];const r=t.map(({outputs:e,error:t})=>({output:shortened(e),error:shortened(t)}));const i=Map.groupBy(r,({output:e,error:t})=>JSON.stringify([e,t]));return[...i.values()].slice(0,_).flatMap(([e,...t])=>{if(e===undefined)return[];return t.length===0?[e]:[{...e,times:t.length+1}]})}function shortened(e){return e===undefined?undefined:(0,d.J)(e,g)}function marked(e){return t=>{if(e===undefined||t.output===undefined||t.output===e)return t;return{...t,diff:diffOf(e,t.output)}}}function diffOf(e,t){const r=(0,u.pR)(e,t,{maxEditLength:y});if(r===undefined)return undefined;const i=[];let[a,o,s]=[0,0,0];for(const e of r){const{length:t}=e.value;if(e.added)s+=t;else if(e.removed)o+=t;else if(o+s===0)a+=t;else{i.push(a,o,s);[a,o,s]=[t,0,0]}}return[...i,a,o,s]}var b=r(463599);var x=r(162830);var S=r(271461);var C=r(744865);var w=r(801288);var T=r(102205);var E=r(238567);;const D=[`newly failing`,`worse`,`newly flaky`,`without a score`,`with error`,`flaky`,`changed`,`only in the baseline`,`only now`,`fixed`,`better`,`same`];;const O=2e4;function tableOfCases({judgement:e,results:t,baseline:r},i=O){const a=[...new Set(e.metrics.map(({metric:e})=>e))];const o=e.rules.find(({rule:e,holds:t})=>t===false&&e.value.of===`metric`)?.rule.value;const s=Math.max(0,o?.of===`metric`?a.indexOf(o.metric):0);const c=r&&(0,T.Q6)(t,r);const l=traitsOf({now:t,baseline:r,pairing:c});const u=rowsOf({now:t,baseline:r,pairing:c});const d=a.map(e=>{const i=t.metrics.get(e)??r?.metrics.get(e);return columnsOf(e,i,{now:(0,E.uV)(t,e),baseline:r&&(0,E.uV)(r,e),traits:l})});const f=d[s];const p=new Map(u.map(e=>[e,f?.rankOf(e)??-Infinity]));const m=u.sort((e,t)=>(p.get(t)??0)-(p.get(e)??0)||(0,w.qy)(e.name,t.name)||(0,w.qy)(e.key,t.key)).slice(0,i);const h=new Map;const g={names:m.map(({name:e})=>e),places:m.map(({now:e})=>{const t=e?.trials.find(e=>e.place!==undefined)?.place;return t===undefined?``:(0,x.Z9)(t)}),metadata:m.map(({now:e,baseline:t})=>Object.entries((e??t)?.metadata??{}).map(([e,t])=>{const r=typeof t===`string`?t:(0,S.s$)(t);const i=`${e} = ${r}`;const a=h.get(i)??{key:e,value:r,number:h.size,cases:0};h.set(i,a);a.cases+=1;return a.number})),labels:[...h.keys()],traits:D,metrics:d.map(e=>e.of(m)),isCompared:r!==undefined,first:s};return{data:g,labels:[...h.values()],cases:m,total:u.length}}function rowsOf({now:e,baseline:t,pairing:r}){const row=(r,i,a=false)=>{const o=r===undefined?undefined:e.cases.at(r);const s=i===undefined?undefined:t?.cases.at(i);const c=o??s;if(c===undefined)return[];const{key:l,name:u}=c;return[{key:l,name:u,now:o,baseline:s,nowAt:r,baselineAt:i,isCompared:a}]};if(r===undefined)return[...e.cases].flatMap((e,t)=>row(t,undefined));const{pairs:i,changed:a,added:o,removed:s}=r;return[...[...i.now].flatMap((e,t)=>row(e,i.baseline[t],true)),...[...a.now].flatMap((e,t)=>row(e,a.baseline[t])),...[...o].flatMap(e=>row(e,undefined)),...[...s].flatMap(e=>row(undefined,e))]}function traitsOf(e){const t=(0,C.q)(e);const r=[[`newly failing`,t.newlyFailing],[`worse`,t.worseForPeople],[`newly flaky`,t.newlyFlaky],[`without a score`,t.missing],[`with error`,t.errors],[`flaky`,t.flaky],[`changed`,t.changed],[`only in the baseline`,t.removed],[`only now`,t.added],[`fixed`,t.fixed]];const i=new Map;const bitsOf=t=>{const r=i.get(t)??{now:new Uint16Array(e.now.cases.length),baseline:new Uint16Array(e.baseline?.cases.length??0)};i.set(t,r);return r};for(const[e,t]of r){for(const{at:r,isOfBaseline:i,metric:a}of t){const t=i?bitsOf(a).baseline:bitsOf(a).now;t[r]=(t[r]??0)|bitOf(e)}}return i}function traitsOfRow(e,t,{nowAt:r,baselineAt:i}){const{now:a,baseline:o}=e.get(t)??{};return(a?.[r??-1]??0)|(o?.[i??-1]??0)}function bitOf(e){return 1<<D.indexOf(e)}function columnsOf(e,t,{now:r,baseline:i,traits:a}){const o=t?.direction===`lower`?1:-1;const nowOf=({nowAt:e})=>known(r?.means[e??-1]);const beforeOf=({baselineAt:e})=>known(i?.means[e??-1]);const harmOf=e=>{const[t,r]=[nowOf(e),beforeOf(e)];if(!e.isCompared||t===null||r===null)return null;return(0,b.Ft)(t,r)?0:o*(t-r)+0};const rankOf=t=>{const r=(traitsOfRow(a,e,t)&bitOf(`without a score`))!==0;return r?Number.MIN_VALUE:harmOf(t)};const bitsOf=(t,r)=>{const i=traitsOfRow(a,e,t)|traitsOfRow(a,undefined,t);if(!t.isCompared||r===null||r>0)return i;if(r===0)return i|bitOf(`same`);return(i&bitOf(`fixed`))===0?i|bitOf(`better`):i};const text=t=>t===null?``:(0,s.Ru)(e,t);const changeText=t=>{if(t===null||t===0)return t===null?``:`0`;return`${t*o<0?`−`:`+`}${(0,s.Ru)(e,Math.abs(t))}`};const of=t=>{const[r,i,a]=[t.map(nowOf),t.map(beforeOf),t.map(harmOf)];return{name:e,isLowerBetter:o>0,traits:t.map((e,t)=>bitsOf(e,a[t]??null)),...{baseline:i.map(cases_table_short),now:r.map(cases_table_short),harm:t.map(e=>cases_table_short(rankOf(e)))},...{baselineTexts:i.map(text),nowTexts:r.map(text),changeTexts:a.map(changeText)}}};return{rankOf,of}}function known(e){return e===undefined||Number.isNaN(e)?null:e}function cases_table_short(e){return e===null?null:Number(e.toPrecision(6))}var k=r(316519);var A=r(63735);;const j={width:340,height:250,left:46,right:330,top:24,bottom:212};function axisOf({name:e,low:t,high:r,range:i,isLog:a=false,ticks:o=5,text:s}){const c=t===r?[t-Math.abs(t)*.05-1e-9,r+Math.abs(r)*.05+1e-9]:[t,r];const l=(a?(0,k.ZE)():(0,k.m4)()).domain(c).range(i);const u=a?roundTicks(l.ticks(),o)??(0,k.m4)().domain(c).ticks(o):l.ticks(o);const d=i[0]>i[1]?16:34;let f=-Infinity;const p=u.filter(e=>{if(Math.abs(l(e)-f)<d)return false;f=l(e);return true});return{name:e,at:e=>l(e),ticks:p.map(e=>({value:e,text:s(e)}))}}function roundTicks(e,t){const[r,i]=[/^[125]e/,/^1e/].map(t=>e.filter(e=>t.test(e.toExponential())));if(r===undefined||i===undefined||r.length<2)return undefined;return r.length<=t+1||i.length<2?r:i}const M=[j.left,j.right];const N=[j.bottom,j.top];function chart({title:e,description:t,x:r,y:i,marks:a}){const{width:o,height:s,left:c,right:u,top:d,bottom:f}=j;return(0,l.PT)`<svg class="chart" viewBox="0 0 ${o} ${s}" role="img">
    <title>${e}</title>
    <desc>${t}</desc>
    <g class="axis">
      ${r.ticks.map(({value:e,text:t})=>(0,l.PT)`<line class="grid" x1="${n(r.at(e))}" x2="${n(r.at(e))}" y1="${d}" y2="${f}" /><text x="${n(r.at(e))}" y="${f+16}" text-anchor="middle">${t}</text>`)}
      ${i.ticks.map(({value:e,text:t})=>(0,l.PT)`<line class="grid" x1="${c}" x2="${u}" y1="${n(i.at(e))}" y2="${n(i.at(e))}" /><text x="${c-6}" y="${n(i.at(e)+4)}" text-anchor="end">${t}</text>`)}
      <line x1="${c}" x2="${u}" y1="${f}" y2="${f}" />
      <text class="name" x="${u}" y="${s-8}" text-anchor="end">${r.name}</text>
      <text class="name" x="${c-40}" y="10">${i.name}</text>
    </g>
    ${a}
  </svg>`}function figure({heading:e,badges:t,about:r,chart:i,table:a}){const o=a&&(0,l.PT)`<details class="numbers">
      <summary>Numbers</summary>
      ${a}
    </details>`;return(0,l.PT)`<figure>
    <figcaption><strong>${e} ${(0,A.C_)(t)}</strong> <span class="soft">${r}</span></figcaption>
    ${i}${o}
  </figure>`}function n(e){return String(Math.round(e*100)/100)};const P=20;const F=300;function distributionOf(e){const{metric:t,facts:r,badges:i,now:a,baseline:o}=e;const[c,u]=boundsOf([a,o],r);if(a.length===0||new Set([...a,...o]).size<=2)return undefined;const d=(0,k.m4)().domain([c,u]).nice(P);const f=d.ticks(P);const[p=c,m=u]=d.domain();const h=[o,a].map(e=>sharesIn(e,f));const g=Math.max(...h.flat());const text=e=>(0,s.Ru)(t,e);const _=axisOf({name:`mean of a case`,low:p,high:m,range:M,text});const v=axisOf({name:`cases ↑`,low:0,high:g,range:N,ticks:4,text:percent});const[y=[],b=[]]=h;const place=e=>_.at(f[e]??0);const x=n(v.at(0));const S=y.map((e,t)=>{const[r,i]=[n(place(t)+1),n(place(t+1)-1)];return e===0?``:`M${r} ${x}V${n(v.at(e))}H${i}V${x}Z`});const C=b.map((e,t)=>`V${n(v.at(e))}H${n(place(t+1))}`);return figure({heading:`${t}: distribution`,badges:i,about:keysOf(o.length>0),chart:chart({title:`${t}: how the means of the cases are spread`,description:describe(e),...{x:_,y:v},marks:[(0,l.PT)`<path class="area baseline" d="${S.join(``)}" />`,(0,l.PT)`<path class="line now" d="M${n(place(0))} ${x}${C.join(``)}V${x}" />`]}),table:quantileTable(e)})}function latencyCurveOf(e){const{metric:t,facts:r,badges:i,now:a,baseline:o}=e;if(a.length<2)return undefined;const[c,l]=boundsOf([a,o],r);const text=e=>(0,s.Ru)(t,e);const u=axisOf({name:`mean of a case`,low:c,high:l,range:M,isLog:c>0,text});const d=axisOf({name:`share of cases ↑`,low:0,high:1,range:N,ticks:4,text:percent});return figure({heading:`${t}: share of cases at or below`,badges:i,about:keysOf(o.length>0),chart:chart({title:`${t}: the share of the cases up to each value`,description:describe(e),...{x:u,y:d},marks:[steps(o,`baseline`,u,d),steps(a,`now`,u,d)]}),table:quantileTable(e)})}function boundsOf(e,{low:t,high:r}){const i=e.flatMap(e=>e.length===0?[]:[e[0]??0,e.at(-1)??0]);return[Math.min(...i,t??Infinity),Math.max(...i,r??-Infinity)]}function sharesIn(e,t){const r=t.slice(1).map(()=>0);let i=0;for(const a of e){while(i<r.length-1&&a>=(t[i+1]??Infinity))i+=1;r[i]=(r[i]??0)+1}return r.map(t=>t/Math.max(1,e.length))}function steps(e,t,r,i){const[a]=e;if(a===undefined)return undefined;const o=Math.min(e.length,F);const s=Array.from({length:o},(t,s)=>{const c=Math.ceil((s+1)*e.length/o);return`H${n(r.at(e[c-1]??a))}V${n(i.at(c/e.length))}`});return(0,l.PT)`<path class="line ${t}" d="M${n(r.at(a))} ${n(i.at(0))}${s.join(``)}" />`}function percent(e){return`${String(Math.round(e*1e3)/10)} %`}function keysOf(e){return(0,l.PT)`<span class="key now">now</span>${e?(0,l.PT)` <span class="key baseline">baseline</span>`:``}`}function describe({metric:e,now:t,baseline:r,judgement:a}){const side=(t,r,a)=>a===undefined?``:`${t}: ${(0,i.pq)(r.length,`case`)}, median ${(0,s.Ru)(e,a.quantiles.p50)}. `;return`${side(`Now`,t,a.now)}${side(`Baseline`,r,a.baseline)}`.trimEnd()}const I=[`min`,`p50`,`p90`,`p95`,`p99`];function quantileTable({metric:e,judgement:t}){const row=(t,r)=>r&&(0,l.PT)`<tr>
      <th scope="row">${t}</th>
      <td class="n">${(0,s.Ru)(e,r.mean)}</td>
      ${I.map(t=>(0,l.PT)`<td class="n">${(0,s.Ru)(e,r.quantiles[t])}</td>`)}
    </tr>`;return(0,l.PT)`<table>
    <thead>
      <tr>
        <th></th>
        ${[`mean`,...I].map(e=>(0,l.PT)`<th scope="col" class="n">${e}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${row(`now`,t.now)}${row(`baseline`,t.baseline)}
    </tbody>
  </table>`}var L=r(166612);;function chartedMetrics({judgement:e,results:t,baseline:r}){const i=r===undefined?T.Yh:(0,T.Q6)(t,r).pairs;return e.metrics.flatMap(a=>{const{metric:o,part:s,facts:l}=a;if(s!==undefined||!t.metrics.has(o))return[];const[u,d]=[(0,E.uV)(t,o),r&&(0,E.uV)(r,o)];const f=[...i.now].flatMap((e,t)=>{const[r,a]=[d?.means[i.baseline[t]??0]??Number.NaN,u.means[e]??Number.NaN];return Number.isNaN(r)||Number.isNaN(a)?[]:[[r,a]]});return[{metric:o,facts:l,judgement:a,badges:(0,c.W6)(a,e.rules),now:sorted(u),baseline:sorted(d),pairs:f}]})}function sorted(e){return e===undefined?new Float64Array:e.means.filter(e=>!Number.isNaN(e)).sort()};const R=`"use strict";
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
  if (!(element instanceof kind)) throw new Error(\`The page has no \${id}.\`);
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
  return (stated[row] ??= \`\${data.names[row] ?? ""}\\n\${data.places[row] ?? ""}\\n\${labelsOf(row)}\`.toLowerCase());
}

/** @param {number} row */
function haystackOf(row) {
  const { inputs = "", expected = "", now = [], baseline = [] } = textsOf(row) ?? {};
  const outputs = [...now, ...baseline].map(({ output = "", error = "" }) => \`\${output}\\n\${error}\`);
  return \`\${statedOf(row)}\\n\${[inputs, expected, ...outputs].join("\\n").toLowerCase()}\`;
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
  const name = \`\${metricSelect.value} \${sort} \${String(isDown)}\`;
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
  const words = query.value.toLowerCase().split(/\\s+/).filter(Boolean);
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
  const range = rows.length === shown.length ? "" : \`, showing \${start + 1} to \${start + rows.length}\`;
  const isReading = query.value !== "" && haystacks.length < data.names.length;
  const none = isReading ? "Searching …" : "No case matches the filter.";
  count.textContent = shown.length === 0 ? none : \`\${found} of \${all} cases\${range}\${isReading ? " so far" : ""}\`;
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
    make("td", \`n \${tone}\`, columns?.changeTexts[row] ?? ""),
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
    fact(columns.name, before === now || before === "" ? now : \`\${before} → \${now === "" ? "missing" : now}\`);
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
    parts.push(make("p", "legend soft", \`Compared with \${what}: \`, left, " ", added));
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
  const parts = times === undefined ? [] : [make("p", "soft", \`\${times} trials alike\`)];
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
    option.textContent = \`\${data.traits[Number(option.value)] ?? ""} (\${cases.toLocaleString("en")})\`;
    option.hidden = cases === 0;
  }
  selectRows();
}
`;var z=r(446042);;const B=`${z.Y}${z.V}
header, main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; } main { padding-bottom: 4rem; }
section { margin-top: 2.25rem; }
h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.3; max-width: 56rem; margin: .5rem 0; text-wrap: pretty; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; } h3 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: .75rem 0 .25rem; }
p { margin: .5rem 0; } h1 code { font-size: .85em; } small { display: block; color: var(--soft); font-size: .8rem; }
.about { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .75rem; color: var(--soft); margin: 0; }
header .badge { font-size: .9rem; padding: .2rem .75rem; }
.links, .links ul { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: .75rem 0 0; padding: 0; list-style: none; } .links ul { margin: 0; }
.links a { color: inherit; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); } .links a:hover { text-decoration-color: currentColor; }
.notices { list-style: none; margin: 1.25rem 0 0; padding: .6rem 1rem; background: var(--warn-back); border-radius: 6px; } .notices .gap { font-weight: 600; }

th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: .8rem; font-weight: 600; color: var(--soft); vertical-align: bottom; }

.metrics, .rules, .cases { width: 100%; } .metrics.alone { width: auto; } .metrics.alone td { padding-left: 2.5rem; }
.cases.alone :is(th, td):nth-child(3), .cases.alone :is(th, td):nth-child(5) { display: none; }
.metrics tbody th, .metrics tbody td { vertical-align: middle; }
.metrics .metric { font-weight: 600; margin-right: .4rem; }
.metrics td.n { white-space: nowrap; } .metrics td.n small + small, .metrics td:is([data-label=change], [data-label=p]) small { white-space: normal; max-width: 15rem; margin-left: auto; } .metrics td[data-label=p] small { max-width: 6rem; }
.metrics tbody th { width: 13.5rem; min-width: 11.5rem; } .metrics .plot { width: 28%; min-width: 14rem; padding: 0; height: 3.25rem; position: relative; } .metrics thead .plot { height: auto; padding: .45rem 0; }
.metrics .ticks td { border: 0; height: 1.75rem; padding-top: 0; padding-bottom: .5rem; }
.ends { display: flex; justify-content: space-between; }
.forest { display: block; overflow: visible; } tbody tr:not(.ticks) .forest { position: absolute; inset: 0; }
.forest .zone { fill: var(--bad-back); } .forest .margin { stroke: var(--bad); stroke-dasharray: 3 3; } .forest .bound { stroke: var(--ink); stroke-width: 2.5; }
.forest .zero { stroke: var(--soft); } .forest .interval { stroke: var(--ink); stroke-width: 2.5; stroke-linecap: round; } .forest .change { fill: var(--ink); }
.forest .worse { fill: var(--bad); stroke: var(--bad); } .forest .better { fill: var(--good); stroke: var(--good); }
.forest .change { stroke: none; } .ticks line { stroke: var(--soft); } .ticks text { fill: var(--soft); font-size: 12px; }
.legend { font-size: .8rem; } .mark { display: inline-block; vertical-align: -.1em; margin: 0 .3rem 0 .9rem; } .mark:first-child { margin-left: 0; }
.mark.dot { width: .7rem; height: .7rem; border-radius: 50%; background: var(--ink); } .mark.bar { width: 1px; height: .9rem; background: var(--soft); }
.mark.bound { width: 0; height: .9rem; border-left: 2.5px solid var(--ink); } .mark.zone { width: .9rem; height: .9rem; background: var(--bad-back); border-right: 1px dashed var(--bad); }
#runs th { overflow-wrap: normal; }
.rules td:first-child { white-space: nowrap; width: 7.5rem; } .rules td:nth-child(2) { width: 22rem; }

.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1.75rem 2rem; }
#charts > details { margin-top: 1rem; } #charts > details .figures { margin-top: 1rem; }
.chart .corner { font-weight: 600; } .chart .corner, .chart .count { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; } .chart .count { stroke-opacity: .6; } .chart text.worse { fill: var(--bad); } .chart text.better { fill: var(--good); }
.spot { fill: var(--was); fill-opacity: .45; } .spot.worse { fill: var(--bad); } .spot.better { fill: var(--good); } .chart .count { fill: var(--ink); font-weight: 600; }
.dots { fill: none; stroke: var(--was); stroke-linecap: round; stroke-width: 4; } .dots.worse { stroke: var(--bad); } .dots.better { stroke: var(--good); }
.dots.shade-1 { stroke-opacity: .3; } .dots.shade-2 { stroke-opacity: .5; } .dots.shade-3 { stroke-opacity: .7; } .dots.shade-4 { stroke-opacity: .9; }
.area.baseline { fill: var(--was); fill-opacity: .5; } .line { fill: none; stroke-width: 2; stroke-linejoin: round; } .line.now { stroke: var(--link); } .line.baseline { stroke: var(--was); }
.key::before { content: ""; display: inline-block; width: .9rem; height: 3px; margin: 0 .3rem .2rem 0; background: var(--was); } .key.now::before { background: var(--link); } .key + .key { margin-left: .6rem; }
summary { width: max-content; }

.controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; }
.controls .wide { flex: 1 1 14rem; max-width: 26rem; }
select, input { width: 100%; max-width: 16rem; } .wide input { max-width: none; }
.cases { table-layout: fixed; } .cases th:first-child { width: 38%; } .cases th:nth-child(2) { width: 26%; }
.cases thead button { background: none; border: 0; padding: 0; font: inherit; font-weight: 600; color: var(--soft); cursor: pointer; text-align: inherit; }
.cases thead button:hover, .cases [aria-sort]:not([aria-sort=none]) button { color: var(--ink); }
.cases thead button::after { content: " ↕"; opacity: .5; } .cases [aria-sort=descending] button::after { content: " ↓"; opacity: 1; } .cases [aria-sort=ascending] button::after { content: " ↑"; opacity: 1; }
.cases tbody tr:hover > *, .cases tr.detail > * { background: var(--card); }
.unfold { background: none; border: 0; padding: 0 0 0 1rem; position: relative; text-align: left; cursor: pointer; overflow-wrap: anywhere; } .unfold::before { content: "▸"; color: var(--soft); position: absolute; left: 0; } .unfold[aria-expanded=true]::before { content: "▾"; }
.cases .detail td { padding: .25rem .75rem 1rem 1rem; } .facts { gap: .4rem 1.75rem; margin: .4rem 0; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; margin: 0 0 .4rem; max-height: 24rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 1rem; } .side { min-width: 0; } .fault { border-left: 3px solid var(--bad); }
ins { background: var(--good-back); color: var(--good); text-decoration: none; border-radius: 2px; } del { background: var(--bad-back); color: var(--bad); border-radius: 2px; } del + ins { margin-left: .3ch; }

@media (max-width: 72rem) {
  .metrics thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .metrics, .metrics.alone, .metrics tbody { display: block; width: auto; } .metrics tr { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; }
  .metrics tbody th, .metrics tbody td { display: block; border: 0; padding: .1rem 0; } .metrics tbody th, .metrics .plot { width: 100%; min-width: 0; }
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
`;var V=r(828001);;function forestOf(e,t){return[...Map.groupBy(e,groupOf).values()].map(e=>{const r=e.flatMap(e=>plottedOf(e,t));const[i]=r;if(i===undefined)return{metrics:e,rowOf:()=>undefined,axis:undefined,hasMargin:false,hasBound:false};const a=scaleOf(r);return{metrics:e,rowOf:e=>{const t=r.find(t=>t.metric===e);return t&&rowMarkup(t,a)},axis:axisMarkup(i,a),hasMargin:r.some(({margin:e})=>e!==undefined),hasBound:r.some(({bound:e})=>e!==undefined)}})}function groupOf({metric:e,facts:t,comparison:r}){if(r===undefined)return`without a comparison`;const i=(0,s.FT)(t,r.scale);return JSON.stringify([i,r.direction,i===``?e:``])}function plottedOf(e,t){const{comparison:r}=e;if(r===undefined)return[];const i=r.scale===`ratio`?1:0;const{change:a,interval:o,direction:s}=r;const l=(s===`higher`?-1:1)*(a-i);const u=(0,c.N0)(e,t).flatMap(e=>allowedBy(e,r,l));const d=u.length===0?undefined:Math.min(...u)*(s===`higher`?-1:1);const f=(0,c.N0)(e,t).some(({rule:{test:e,isWarning:t},holds:r})=>e.by===`point`&&!t&&r===false);const p=o&&{low:o.low-i,high:o.high-i};const m=boundAsked(e,t)?r.bound:undefined;return[{...{metric:e,comparison:r,change:a-i,low:p?.low,high:p?.high,margin:d,isBroken:f},bound:m===undefined?undefined:m-i}]}function boundAsked(e,t){return(0,c.N0)(e,t).some(({rule:{test:e}})=>e.by===`not-worse`)}function allowedBy({rule:{test:e,value:t},holds:r},i,a){if(e.by===`not-worse`)return[(0,V.O)(e.margin,i)];if(e.by!==`point`||t.of!==`metric`||t.statistic!==`mean`)return[];const{most:o}=e;const s=i.scale===`ratio`&&!o.isRelative;const c=s?o.value/Math.abs(i.baseline.mean):(0,V.O)(o,i);const l=1e-9*Math.max(1,Math.abs(c));return r===a<=c+l?[c]:[]}function scaleOf(e){const t=e.flatMap(({change:e,low:t=0,high:r=0,margin:i=0,bound:a=0})=>{return[0,e,t,r,i,a]});const[r,i]=[Math.min(...t),Math.max(...t)];const a=(i-r)*.1||.01;const o=e[0]?.comparison.direction===`lower`;const s=(0,k.m4)().domain([r-a,i+a]).range(o?[100,0]:[0,100]);return{at:e=>s(e),ticks:s.ticks(4)}}function forest_plot_percent(e){return`${String(Math.round(e*100)/100)}%`}function toneOf({metric:{verdict:e},change:t,low:r,high:i,comparison:a,isBroken:o}){if(e===`incomplete`)return`plain`;if(e===`regressed`||o)return`worse`;const s=r!==undefined&&i!==undefined&&(r>0||i<0);return s&&t>0===(a.direction===`higher`)?`better`:`plain`}function rowMarkup(e,{at:t}){const{metric:r,comparison:i,change:a,low:o,high:c,margin:u,bound:d}=e;const f=toneOf(e);const p=forest_plot_percent(t(0));const text=e=>(0,s.k0)(r.facts,i.scale,e+(i.scale===`ratio`?1:0));const m=u===undefined?``:`; a rule allows ${text(u)}`;const h=d===undefined?undefined:(0,s.O6)(r.facts,i,r.metric);const g=u===undefined?undefined:forest_plot_percent(t(u));return(0,l.PT)`<svg class="forest" role="img" width="100%" height="100%">
    <title>${(0,s.Vb)(r)}: ${(0,s.VF)(r.facts,i)}${m}${h&&`; ${h}`}</title>
    ${g&&(0,l.PT)`<rect class="zone" x="0" y="0" width="${g}" height="100%" /><line class="margin" x1="${g}" x2="${g}" y1="0" y2="100%" />`}
    <line class="zero" x1="${p}" x2="${p}" y1="0" y2="100%" />
    ${o!==undefined&&c!==undefined&&(0,l.PT)`<line class="interval ${f}" x1="${forest_plot_percent(t(o))}" x2="${forest_plot_percent(t(c))}" y1="50%" y2="50%" />`}
    ${d!==undefined&&(0,l.PT)`<line class="bound" x1="${forest_plot_percent(t(d))}" x2="${forest_plot_percent(t(d))}" y1="25%" y2="75%" />`}
    <circle class="change ${f}" cx="${forest_plot_percent(t(a))}" cy="50%" r="5" />
  </svg>`}const H=22;function axisMarkup({metric:e,comparison:t},{at:r,ticks:i}){const{scale:a}=t;const text=t=>t===0?`0`:(0,s.k0)(e.facts,a,t+(a===`ratio`?1:0)).replace(/\.0(?= )/,``);const o=i.map(e=>({value:e,place:r(e)})).filter(({place:e})=>e>5&&e<95);const c=[];for(const e of o.toSorted((e,t)=>Math.abs(e.value)-Math.abs(t.value))){if(c.every(({place:t})=>Math.abs(t-e.place)>=H))c.push(e)}return(0,l.PT)`<svg class="forest" aria-hidden="true" width="100%" height="20">
    ${c.map(({value:e,place:t})=>(0,l.PT)`<line x1="${forest_plot_percent(t)}" x2="${forest_plot_percent(t)}" y1="0" y2="4" /><text x="${forest_plot_percent(t)}" y="16" text-anchor="middle">${text(e)}</text>`)}
  </svg>`};function rulesSection({rules:e}){if(e.length===0)return(0,l.PT)``;return(0,l.PT)`<section id="rules" aria-labelledby="rules-heading">
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
        ${e.map(ruleRow)}
      </tbody>
    </table>
  </section>`}function ruleRow(e){const{rule:t,found:r,needed:a,verdict:o,places:u,advice:d,holds:f}=e;const p=(0,c.z6)(e);const{tone:m,mark:h}=c.Jx[p];const g=u.slice(0,U).map(x.Z9).join(`; `);const _=u.length-U;return(0,l.PT)`<tr role="row">
    <td role="cell">${(0,A.qS)(m,`${h} ${p}`)}</td>
    <td role="cell"><code>${t.text}</code></td>
    <td role="cell">
      ${(0,l.CS)(r)}
      ${(0,A.C_)((0,c.ml)(o))}${a&&(0,l.PT)`<small>${(0,s.Nd)(a)} would decide</small>`}${d!==undefined&&f!==true&&(0,l.PT)`<small>${(0,l.CS)(d)}</small>`}${g!==``&&(0,l.PT)`<small>${g}${_>0&&` and ${(0,i.lT)(_)} more`}</small>`}
    </td>
  </tr>`}const U=3;const W=200;function metricsSection({metrics:e,rules:t,baseline:r}){if(e.length===0)return(0,l.PT)`<section id="metrics">
      <h2>Metrics</h2>
      <p class="soft">There are no metrics.</p>
    </section>`;const i=e.slice(0,W);const a=e.length-i.length;const o=r!==undefined;const s=forestOf(i,t);return(0,l.PT)`<section id="metrics" aria-labelledby="metrics-heading">
    <h2 id="metrics-heading">Metrics</h2>
    <table class="metrics ${o?``:`alone`}" role="table" aria-labelledby="metrics-heading">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Metric</th>
          ${o&&(0,l.PT)`<th role="columnheader" scope="col" class="plot">
                <span class="ends"><span>← worse</span><span>change</span><span>better →</span></span>
              </th>
              <th role="columnheader" scope="col" class="n">Change [95 %]</th>`}
          <th role="columnheader" scope="col" class="n">Now [95 %]</th>
          ${o&&(0,l.PT)`<th role="columnheader" scope="col" class="n">Baseline</th>
              <th role="columnheader" scope="col" class="n">p</th>`}
        </tr>
      </thead>
      ${s.map(e=>(0,l.PT)`<tbody role="rowgroup">
            ${e.metrics.map(r=>metricRow(r,t,o&&e))}${e.axis&&(0,l.PT)`<tr class="ticks" aria-hidden="true">
                <td></td>
                <td class="plot">${e.axis}</td>
                <td colspan="4"></td>
              </tr>`}
          </tbody>`)}
    </table>
    ${o&&legendOf(s)} ${a>0&&(0,l.PT)`<p class="soft">${String(a)} more are not shown.</p>`}
  </section>`}function metricRow(e,t,r){const{comparison:i,baseline:a,facts:u,adjustedP:d=i?.p}=e;const[f,p]=[i?.p,d].map(e=>e===undefined?``:(0,s.C6)(e).replace(/^p /,``));const m=(0,c.W6)(e,t);const h=i&&boundAsked(e,t)&&(0,s.O6)(u,i,e.metric);const{name:g,better:_,change:v,now:y,baseline:b}=(0,o.GF)(e,t);return(0,l.PT)`<tr role="row">
    <th role="rowheader" scope="row"><span class="metric">${g}</span> ${(0,A.C_)(m)}
      <small>better: ${_}</small></th>
    ${r&&(0,l.PT)`<td role="cell" class="plot">${r.rowOf(e)}</td>
        <td role="cell" class="n" data-label="change">${v||`not compared`}${h&&(0,l.PT)`<small>${h}</small>`}${notesOf(e)}</td>`}
    <td role="cell" class="n" data-label="now">${levelCell(e,e.now,y)}</td>
    ${r&&(0,l.PT)`<td role="cell" class="n" data-label="baseline">${levelCell(e,a,b)}</td>
        <td role="cell" class="n" data-label="p">${f}${i&&p!==f&&(0,l.PT)`<small>over all rules ${p}</small>`}</td>`}
  </tr>`}function levelCell({metric:e,facts:t},r,i){if(r===undefined)return`none`;const{p50:a,p95:o}=r.quantiles;if(t.kind!==`positive`)return i;return(0,l.PT)`${i}<small>median ${(0,s.Ru)(e,a)}, p95 ${(0,s.Ru)(e,o)}</small>`}function notesOf(e){const{comparison:t,noise:r,ifMissing:i,facts:a}=e;if(t===undefined)return undefined;const{scale:o}=t;const c=(0,s.b8)(e);const u=r!==undefined&&(0,l.PT)`<small>baseline runs differ by up to ${(0,s.k0)(a,o,r).replace(/^\+/,``)}</small>`;const d=i&&(0,l.PT)`<small>missing scores could make it ${(0,s.k0)(a,`difference`,i.worst)} to
      ${(0,s.k0)(a,`difference`,i.best)}</small>`;return[c!==undefined&&(0,l.PT)`<small>${c}</small>`,u,d]}function legendOf(e){if(e.every(({axis:e})=>e===undefined))return undefined;const t=e.some(({hasMargin:e})=>e);const r=e.some(({hasBound:e})=>e);return(0,l.PT)`<p class="legend soft">
    <span class="mark dot"></span> change with its 95 % interval
    <span class="mark bar"></span> no change, worse is to its left
    ${r&&(0,l.PT)`<span class="mark bound"></span> how bad the change may be`}
    ${t&&(0,l.PT)`<span class="mark zone"></span> more harm than a rule allows`}
  </p>`};const G=30;const K=4;const q=26;function scatterOf({metric:e,facts:t,badges:r,pairs:a}){if(a.length===0)return undefined;const o=a.flat();const c=o.reduce((e,t)=>Math.min(e,t),t.low??Infinity);const u=o.reduce((e,t)=>Math.max(e,t),t.high??-Infinity);const d=new Set(a.map(([e,t])=>`${String(e)} ${String(t)}`));const f=d.size<=G;const p=f?q+14:6;const axis=(r,[i,a])=>{const l=Math.sign(a-i)*p;const d=t.kind===`binary`&&o.every(Number.isInteger);const[f,m]=[t.kind===`positive`&&c>0,d?1:4];return axisOf({name:r,low:c,high:u,range:[i+l,a-l],isLog:f,ticks:m,text:t=>(0,s.Ru)(e,t)})};const[m,h]=[axis(`baseline →`,M),axis(`now ↑`,N)];const g=spotsOf(a,{x:m,y:h,facts:t,cell:f?undefined:K});const count=e=>g.reduce((t,r)=>t+(r.tone===e?r.count:0),0);const[_,v,y]=[count(`worse`),count(`better`),count(`same`)];const b=`${(0,i.lT)(_)} worse, ${(0,i.lT)(v)} better, ${(0,i.lT)(y)} the same`;const x=(0,l.PT)`<line class="zero" x1="${n(m.at(c))}" y1="${n(h.at(c))}" x2="${n(m.at(u))}" y2="${n(h.at(u))}" />`;const[S,C]=t.direction===`higher`?[`better`,`worse`]:[`worse`,`better`];const{left:w,right:T,top:E,bottom:D}=j;const O=(0,l.PT)`<text class="corner ${S}" x="${w+6}" y="${E+8}">${S}</text>
    <text class="corner ${C}" x="${T-4}" y="${D-8}" text-anchor="end">${C}</text>`;const k=chart({title:`${e}: each case, baseline against now`,description:`${(0,i.pq)(a.length,`case`)}: ${b}.`,...{x:m,y:h},marks:[x,f?bubbles(g):dots(g),O]});const A=(0,l.PT)`${_>0?(0,l.PT)`<span class="worse">${(0,i.lT)(_)} worse</span>`:`0 worse`},
  ${v>0?(0,l.PT)`<span class="better">${(0,i.lT)(v)} better</span>`:`0 better`}, ${(0,i.lT)(y)} the
  same`;return figure({heading:`${e}: each case`,badges:r,about:A,chart:k})}function spotsOf(e,{x:t,y:r,facts:i,cell:a}){const o=new Map;const rounded=e=>a===undefined?e:Math.round(e/a)*a;for(const[a,s]of e){const e=i.direction===`higher`?s-a:a-s;const c=(0,b.Ft)(s,a)?`same`:e>0?`better`:`worse`;const[l,u]=[rounded(t.at(a)),rounded(r.at(s))];const d=`${n(l)} ${n(u)} ${c}`;const f=o.get(d)??{x:l,y:u,tone:c,count:0};o.set(d,f);f.count+=1}return[...o.values()]}function bubbles(e){const t=Math.max(...e.map(({count:e})=>e));return e.toSorted((e,t)=>t.count-e.count).map(({x:e,y:r,tone:a,count:o})=>{const s=Math.max(3,Math.sqrt(o/t)*q);const[c,u]=s>11?[e,`middle`]:[e+s+3,`start`];return(0,l.PT)`<circle class="spot ${a}" cx="${n(e)}" cy="${n(r)}" r="${n(s)}" />
        <text class="count" x="${n(c)}" y="${n(r+4)}" text-anchor="${u}">${(0,i.lT)(o)}</text>`})}function dots(e){const t=e.reduce((e,{count:t})=>Math.max(e,t),0);const shadeOf=e=>String(Math.ceil(4*Math.sqrt(e/t)));const r=Map.groupBy(e,({tone:e,count:t})=>`${e} shade-${shadeOf(t)}`);return[...r].toSorted(([e],[t])=>e<t?-1:1).map(([e,t])=>{return(0,l.PT)`<path class="dots ${e}" d="${t.map(({x:e,y:t})=>`M${n(e)} ${n(t)}h0`).join(``)}" />`})}var J=r(840031);var Y=r(635337);;async function renderReport(e,t){const{judgement:r}=e;const{dataset:i}=r.now;const{word:a,tone:o}=c.f[r.status];const s=t.title??i.name??i.id??`Evaluation`;const u=tableOfCases(e);const d=t.showsTexts?textsOf(u.cases):undefined;const f=(0,l.PT)`<header>
<p class="about">${(0,A.qS)(o,a)} <span>${s}</span></p>
<h1>${(0,l.CS)(r.headline)}</h1>
<p class="soft">${sidesOf(r)}</p>
${linksOf(u)}
</header>
<main>
${noticesOf(r)}
${metricsSection(r)}
${rulesSection(r)}
${chartsSection(e)}
${runFacts(r)}
${casesSection(u,d)}
</main>`;return(0,L.G)({title:`${a}: ${s}`,style:B,skip:{to:`cases`,text:`Skip to the cases`},body:f,script:R})}function sidesOf({now:e,baseline:t}){const side=({cases:e,trials:t,commit:r,created:i,isCreatedUnsure:a})=>[(0,s.lP)(e,t),...r===undefined?[]:[`commit ${r.slice(0,12)}`],...a===true?[]:[timeText(i)]].join(`, `);if(t===undefined)return side(e);const r=t.runs>1?` of ${(0,i.pq)(t.runs,`run`)}`:``;return`${side(e)}; against ${side(t)}${r}`}const X=[[`newly failing`,`worse`],[`worse`,`worse`],[`newly flaky`,`worse`],[`without a score`,`warn`],[`with error`,`warn`],[`fixed`,`better`],[`better`,`better`]];function linksOf({data:e}){const t=e.metrics[e.first];if(t===undefined)return undefined;const r=X.flatMap(([r,a])=>{const o=bitOf(r);const s=t.traits.filter(e=>(e&o)!==0).length;const c=(0,l.PT)`<li class="${a}"><a href="#cases" data-metric="${e.first}" data-trait="${e.traits.indexOf(r)}"><b>${(0,i.lT)(s)}</b> ${r}</a></li>`;return s===0?[]:[c]});if(r.length===0)return undefined;return(0,l.PT)`<div class="links"><span class="soft">Cases by ${t.name}:</span><ul>${r}</ul></div>`}const Z=50;function noticesOf({gaps:e,warnings:t}){const r=[...e.slice(1).map(({message:e})=>(0,l.PT)`<li class="gap">${(0,l.CS)(e)}</li>`),...t.map(e=>(0,l.PT)`<li>${(0,l.CS)(e)}</li>`)];if(r.length===0)return undefined;const a=r.length-Z;return(0,l.PT)`<ul class="notices" aria-label="Gaps and warnings">
    ${r.slice(0,Z)}${a>0&&(0,l.PT)`<li>${(0,i.lT)(a)} more.</li>`}
  </ul>`}const Q=8;function chartsSection(e){const t=new Set(e.judgement.rules.map(({rule:{value:e}})=>e.of===`metric`?e.metric:``));const r=chartedMetrics(e);const a=r.slice(0,Q).flatMap(e=>{const r=e.facts.kind===`positive`;const i=[scatterOf(e),r?latencyCurveOf(e):distributionOf(e)];const a=i.filter(e=>e!==undefined);return a.length===0?[]:[{isRuled:t.has(e.metric),figures:a}]});const[o,s]=[a.filter(({isRuled:e})=>e),a.filter(({isRuled:e})=>!e)];if(a.length===0)return undefined;const c=r.length-Q;const figuresOf=e=>(0,l.PT)`<div class="figures">${e.map(({figures:e})=>e)}</div>`;const u=(0,l.PT)`<details><summary>Charts of ${(0,i.pq)(s.length,`metric`)} without a rule</summary>${figuresOf(s)}</details>`;return(0,l.PT)`<section id="charts" aria-labelledby="charts-heading">
    <h2 id="charts-heading">How the cases are distributed</h2>
    ${figuresOf(o.length===0?s:o)}
    ${o.length>0&&s.length>0&&u}
    ${c>0&&(0,l.PT)`<p class="soft">${(0,i.pq)(c,`more metric`)} ${c===1?`has`:`have`} no charts here.</p>`}
  </section>`}const $=[[`Measured`,({cases:e,trials:t})=>(0,s.lP)(e,t)],[`Rows with an error`,({errors:e})=>(0,i.lT)(e)],...o.VT,[`Dataset`,({dataset:{name:e,id:t}})=>e??t],[`Workflow run`,({run:e})=>e],[`Ended`,({created:e,isCreatedUnsure:t})=>t===true?undefined:timeText(e)],[`Concurrency`,({concurrency:e})=>e===undefined?undefined:(0,i.lT)(e)]];const ee=20;function runFacts({now:e,baseline:t}){const r=$.flatMap(([r,i])=>{const[a,o]=[i(e),t&&i(t)];return a===undefined&&o===undefined?[]:[row(r,a??`–`,t&&(o??`–`))]});if(t!==undefined){const i=(0,a.hy)(t,new Date(e.created));if(i!==undefined&&i>0)r.push(row(`Age of the baseline`,``,(0,J.QF)(i)));const o=(0,Y.KE)(t.sources,{conjunction:`and`,most:ee});r.push(row(t.runs>1?`Files of ${String(t.runs)} runs`:`Files`,``,o))}return(0,l.PT)`<section id="runs" aria-labelledby="runs-heading">
    <h2 id="runs-heading">${t===undefined?`What was measured`:`What was compared`}</h2>
    <table aria-labelledby="runs-heading">
      <thead>
        <tr>
          <td></td>
          <th scope="col">Now</th>
          ${t&&(0,l.PT)`<th scope="col">Baseline</th>`}
        </tr>
      </thead>
      <tbody>
        ${r}
      </tbody>
    </table>
  </section>`}function row(e,t,r){return(0,l.PT)`<tr>
    <th scope="row">${e}</th>
    <td>${t}</td>
    ${r!==undefined&&(0,l.PT)`<td>${r}</td>`}
  </tr>`}function timeText(e){const[,t=e,r=``]=/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(e)??[];return r===``?t:`${t} ${r} UTC`}}),166612:((e,t,r)=>{r.d(t,{G:()=>frame});var i=r(328369);var a=r(859800);function frame({title:e,style:t,refresh:r,skip:i,body:o,script:s}){const c=s===undefined?undefined:policyOf(t,s);return(0,a.PT)`<!doctype html>
<html lang="en">
<meta charset="utf-8">
${c&&(0,a.PT)`<meta http-equiv="Content-Security-Policy" content="${c}">\n`}<meta name="viewport" content="width=device-width">
${r&&(0,a.PT)`<meta http-equiv="refresh" content="${r}">\n`}<title>${e}</title>
<style>${new a.VK(t)}</style>
<body>
<a class="skip" href="#${i.to}">${i.text}</a>
${o}
${s&&(0,a.PT)`<script>${new a.VK(s)}<\/script>\n`}</html>
`.text}function policyOf(e,t){const hashOf=e=>`'sha256-${(0,i.createHash)(`sha256`).update(e).digest(`base64`)}'`;return[`default-src 'none'`,`script-src ${hashOf(t)}`,`style-src ${hashOf(e)}`,`base-uri 'none'`,`form-action 'none'`,`require-trusted-types-for 'script'`,`trusted-types 'none'`].join(`; `)}}),859800:((e,t,r)=>{r.d(t,{CS:()=>prose,Im:()=>isEmpty,PT:()=>markup,Pu:()=>jsonMarkup,VK:()=>Markup,oR:()=>joined});class Markup{text;constructor(e){this.text=e}}function markup(e,...t){return new Markup(e.reduce((e,r,i)=>`${e}${textOf(t[i-1])}${r}`))}function prose(e){const t=e.split("`");if(t.length%2===0)return markup`${e}`;return markup`${t.map((e,t)=>t%2===0?e:markup`<code>${e}</code>`)}`}function jsonMarkup(e){return new Markup(JSON.stringify(e).replace(/[<>&\u2028\u2029]/g,e=>{return`\\u${e.charCodeAt(0).toString(16).padStart(4,`0`)}`}))}function isEmpty(e){return textOf(e)===``}function joined(e,t){const r=e.filter(e=>!isEmpty(e));return markup`${r.map((e,r)=>[r>0&&t,e])}`}function textOf(e){if(e===undefined||e===false)return``;if(e instanceof Markup)return e.text;if(typeof e===`number`)return String(e);if(typeof e!==`string`)return e.map(textOf).join(``);return e.toWellFormed().replace(/[&<>"']/g,e=>`&#${String(e.charCodeAt(0))};`)}}),63735:((e,t,r)=>{r.d(t,{C_:()=>badgeList,Ir:()=>beginning,fh:()=>nameText,m_:()=>shortId,nf:()=>link,qS:()=>badge,rm:()=>breakableName});var i=r(77590);var a=r(859800);const o=120;const s=/(?<=[_.:])(?=[^/])|(?<=[^/:\s])(?=\/)|(?<=[A-Za-z0-9]{16})(?=[A-Za-z0-9])/;function beginning(e,t){return e.slice(0,t).replace(/[\ud800-\udbff]$/,``)}function nameText(e,t=o){return(0,i.J)(e,t+1)}function breakableName(e,t=o){const[r=``,...i]=nameText(e,t).split(s);return(0,a.PT)`${r}${i.map(e=>(0,a.PT)`<wbr>${e}`)}`}function shortId(e){return beginning(e,8)}function link(e,t,r=``){const i=t===e?nameText(t):breakableName(t);if(!/^(?:https?:\/\/|\/(?!\/))/.test(e))return i;return(0,a.PT)`<a href="${e}"${r!==``&&(0,a.PT)` title="${r}"`}>${i}</a>`}function badge(e,t){return(0,a.PT)`<span class="badge ${e}">${t}</span>`}function badgeList(e){return e.map(({text:e,tone:t})=>(0,a.PT)`${badge(t,e)} `)}}),446042:((e,t,r)=>{r.d(t,{V:()=>a,Y:()=>i});const i=`
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c1e21; --soft: #5c636d; --line: #d9dce1; --faint: #eceef1; --card: #f6f7f9; --link: #0b57d0;
  --bad: #b3261e; --bad-back: #fdecea; --good: #17692f; --good-back: #e6f4ea; --warn: #855100; --warn-back: #fdf1dc;
  --busy-back: #e4edfd; --was: #a3aab5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e6ea; --soft: #9aa2ad; --line: #363b43; --faint: #24282e; --card: #1e2126; --link: #8ab4f8;
    --bad: #ffaaa2; --bad-back: #3d1c19; --good: #84d99b; --good-back: #17331f; --warn: #f0c274; --warn-back: #362a14;
    --busy-back: #1b2c4a; --was: #6b7480;
  }
}
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
/* Right-to-left text must not turn what is beside it. */
a, button, code, dd, dt, figcaption, h1, h3, li, option, p, strong, summary, td, text, th { unicode-bidi: isolate; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: auto; }
.soft { color: var(--soft); font-weight: 400; } .worse { color: var(--bad); } .better { color: var(--good); } .warn { color: var(--warn); }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
.badge { font-size: .8rem; font-weight: 600; padding: .1rem .5rem; border-radius: 1rem; background: var(--card); color: var(--soft); white-space: nowrap; }
.badge.good { background: var(--good-back); color: var(--good); } .badge.bad { background: var(--bad-back); color: var(--bad); }
.badge.warn { background: var(--warn-back); color: var(--warn); } .badge.busy { background: var(--busy-back); color: var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: baseline; font-weight: 400; } th.n, td.n { text-align: right; }
dl { margin: 0; } dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: .75rem 0; } .facts > div { max-width: 100%; }
summary { color: var(--link); cursor: pointer; } label { color: var(--soft); font-size: .8rem; min-width: 0; }
select, input, button { font: inherit; font-size: .9375rem; color: var(--ink); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .6rem; }
select, input { display: block; background: var(--paper); max-width: 100%; } button { background: var(--card); padding: .35rem .75rem; cursor: pointer; } button:disabled { color: var(--soft); cursor: default; }
`;const a=`
figure { margin: 0; min-width: 0; break-inside: avoid; } figcaption { font-size: .875rem; margin-bottom: .5rem; } figcaption strong { display: block; }
.chart { display: block; width: 100%; height: auto; max-width: 30rem; } .chart text { font-size: 11px; fill: var(--soft); }
.axis line { stroke: var(--soft); } .axis .grid { stroke: var(--faint); } .chart .zero { stroke: var(--soft); stroke-dasharray: 4 4; }
.numbers { font-size: .8rem; } .numbers summary { width: max-content; } .numbers table { width: 100%; } .numbers th, .numbers td { padding: .25rem .3rem; }
`})};