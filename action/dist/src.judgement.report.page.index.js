export const id=`src.judgement.report.page`;export const ids=[`src.judgement.report.page`];export const modules={309599:((e,t,r)=>{r.d(t,{renderReport:()=>renderReport});var i=r(328369);var a=r(791722);var o=r(328933);var s=r(962338);var c=r(121075);var l=r(405120);var u=r(975492);;class Markup{text;constructor(e){this.text=e}}function markup(e,...t){return new Markup(e.reduce((e,r,i)=>`${e}${textOf(t[i-1])}${r}`))}function textOf(e){if(e===undefined||e===false)return``;if(e instanceof Markup)return e.text;if(typeof e===`string`)return(0,u.Z)(e.toWellFormed());return typeof e===`number`?String(e):e.map(textOf).join(``)}function prose(e){const t=e.split("`");if(t.length%2===0)return markup`${e}`;return markup`${t.map((e,t)=>t%2===0?e:markup`<code>${e}</code>`)}`}function jsonMarkup(e){return new Markup(JSON.stringify(e).replace(/[<>&\u2028\u2029]/g,e=>{return`\\u${e.charCodeAt(0).toString(16).padStart(4,`0`)}`}))}function badgesMarkup(e){return e.map(({text:e,tone:t})=>markup`<span class="badge ${t}">${e}</span> `)}var d=r(604291);var f=r(77590);;const p=200;const m=[[`case`,`Case`,``],[`verdict`,`What happened`,``],[`baseline`,`Baseline`,`n`],[`now`,`Now`,`n`],[`change`,`Change`,`n`]];function casesSection({data:e,labels:t,total:r},i){const o=r-e.names.length;const s=e.metrics.map(({name:e},t)=>cases_section_option(String(t),e));const c=e.traits.map((e,t)=>cases_section_option(String(t),e));const l=i===undefined?`name or metadata`:`name, metadata or text`;const u=Array.from({length:Math.ceil((i?.length??0)/p)},(e,t)=>{const r=i?.slice(t*p,(t+1)*p);return markup`<script type="application/json" class="texts-data">${jsonMarkup(r)}<\/script>\n`});return markup`<section id="cases" aria-labelledby="cases-heading">
      <h2 id="cases-heading">Cases</h2>
      <noscript><p>The table of cases needs JavaScript.</p></noscript>
      <div role="search" class="controls">
        <label>Metric <select id="metric">${s}</select></label>
        <label>What happened <select id="trait"><option value="">all cases</option>${c}</select></label>
        <label>Metadata <select id="label"><option value="">all</option>${groupsOf(t)}</select></label>
        <label class="wide">Search <input id="query" type="search" placeholder="${l}" autocomplete="off" spellcheck="false"></label>
      </div>
      <p id="count" class="soft" role="status"></p>
      <table class="cases ${e.isCompared?``:`alone`}" role="table" aria-labelledby="cases-heading">
        <thead role="rowgroup">
          <tr role="row">
            ${m.map(([e,t,r])=>markup`<th scope="col" role="columnheader" class="${r}" data-sort="${e}">
                  <button type="button">${t}</button>
                </th>`)}
          </tr>
        </thead>
        <tbody id="rows" role="rowgroup"></tbody>
      </table>
      <p class="pager">
        <button type="button" id="previous">Previous ${(0,a.lT)(p)}</button>
        <button type="button" id="next">Next ${(0,a.lT)(p)}</button>
      </p>
      ${o>0&&markup`<p class="soft">${(0,a.pq)(o,`case`)} with less harm ${o===1?`is`:`are`} left out of this page.</p>`}
    </section>
    <script type="application/json" id="cases-data">${jsonMarkup(e)}<\/script>
    ${u}`}function cases_section_option(e,t){return markup`<option value="${e}">${t}</option>`}const h=50;const g=20;function groupsOf(e){const t=[...Map.groupBy(e,({key:e})=>e)].filter(([,e])=>e.length<=h);return t.sort(([e],[t])=>e<t?-1:1).slice(0,g).map(([e,t])=>{const r=t.toSorted((e,t)=>t.cases-e.cases||(e.value<t.value?-1:1));const i=r.map(({number:t,value:r,cases:i})=>cases_section_option(String(t),`${e} = ${r} (${(0,a.lT)(i)})`));return markup`<optgroup label="${e}">${i}</optgroup>`})}const _=4e3;const v=5;const y=16e6;const b=200;function textsOf(e){let t=0;return e.map(({now:e,baseline:r})=>{if(t>y)return null;const[i,a]=[shortened(e?.inputs??r?.inputs),shortened(e?.expected??r?.expected)];const[o,s]=[trialsOf(r),trialsOf(e)];t+=(i?.length??0)+(a?.length??0);for(const{output:e=``,error:r=``}of[...o,...s])t+=e.length+r.length;const c=o[0]?.output;const l={inputs:i,expected:a};if(a===undefined&&c!==undefined){return{...l,against:`baseline`,baseline:o,now:s.map(marked(c))}}const u=a===undefined?undefined:`expected`;return{...l,against:u,baseline:o.map(marked(a)),now:s.map(marked(a))}})}function trialsOf(e){const t=e?.trials??[];const r=t.map(({outputs:e,error:t})=>({output:shortened(e),error:shortened(t)}));const i=Map.groupBy(r,({output:e,error:t})=>JSON.stringify([e,t]));return[...i.values()].slice(0,v).flatMap(([e,...t])=>{if(e===undefined)return[];return t.length===0?[e]:[{...e,times:t.length+1}]})}function shortened(e){return e===undefined?undefined:(0,f.J)(e,_)}function marked(e){return t=>{if(e===undefined||t.output===undefined||t.output===e)return t;return{...t,diff:diffOf(e,t.output)}}}function diffOf(e,t){const r=(0,d.pR)(e,t,{maxEditLength:b});if(r===undefined)return undefined;const i=[];let[a,o,s]=[0,0,0];for(const e of r){const{length:t}=e.value;if(e.added)s+=t;else if(e.removed)o+=t;else if(o+s===0)a+=t;else{i.push(a,o,s);[a,o,s]=[t,0,0]}}return[...i,a,o,s]}var x=r(463599);var S=r(162830);var C=r(271461);var w=r(744865);var T=r(801288);var E=r(102205);var D=r(238567);;const O=[`newly failing`,`worse`,`newly flaky`,`without a score`,`with error`,`flaky`,`changed`,`only in the baseline`,`only now`,`fixed`,`better`,`same`];;const k=2e4;function tableOfCases({judgement:e,results:t,baseline:r},i=k){const a=[...new Set(e.metrics.map(({metric:e})=>e))];const o=e.rules.find(({rule:e,holds:t})=>t===false&&e.value.of===`metric`)?.rule.value;const s=Math.max(0,o?.of===`metric`?a.indexOf(o.metric):0);const c=r&&(0,E.Q6)(t,r);const l=traitsOf({now:t,baseline:r,pairing:c});const u=rowsOf({now:t,baseline:r,pairing:c});const d=a.map(e=>{const i=t.metrics.get(e)??r?.metrics.get(e);return columnsOf(e,i,{now:(0,D.uV)(t,e),baseline:r&&(0,D.uV)(r,e),traits:l})});const f=d[s];const p=new Map(u.map(e=>[e,f?.rankOf(e)??-Infinity]));const m=u.sort((e,t)=>(p.get(t)??0)-(p.get(e)??0)||(0,T.qy)(e.name,t.name)||(0,T.qy)(e.key,t.key)).slice(0,i);const h=new Map;const g={names:m.map(({name:e})=>e),places:m.map(({now:e})=>{const t=e?.trials.find(e=>e.place!==undefined)?.place;return t===undefined?``:(0,S.Z9)(t)}),metadata:m.map(({now:e,baseline:t})=>Object.entries((e??t)?.metadata??{}).map(([e,t])=>{const r=typeof t===`string`?t:(0,C.s$)(t);const i=`${e} = ${r}`;const a=h.get(i)??{key:e,value:r,number:h.size,cases:0};h.set(i,a);a.cases+=1;return a.number})),labels:[...h.keys()],traits:O,metrics:d.map(e=>e.of(m)),isCompared:r!==undefined,first:s};return{data:g,labels:[...h.values()],cases:m,total:u.length}}function rowsOf({now:e,baseline:t,pairing:r}){const row=(r,i,a=false)=>{const o=r===undefined?undefined:e.cases.at(r);const s=i===undefined?undefined:t?.cases.at(i);const c=o??s;if(c===undefined)return[];const{key:l,name:u}=c;return[{key:l,name:u,now:o,baseline:s,nowAt:r,baselineAt:i,isCompared:a}]};if(r===undefined)return[...e.cases].flatMap((e,t)=>row(t,undefined));const{pairs:i,changed:a,added:o,removed:s}=r;return[...[...i.now].flatMap((e,t)=>row(e,i.baseline[t],true)),...[...a.now].flatMap((e,t)=>row(e,a.baseline[t])),...[...o].flatMap(e=>row(e,undefined)),...[...s].flatMap(e=>row(undefined,e))]}function traitsOf(e){const t=(0,w.q)(e);const r=[[`newly failing`,t.newlyFailing],[`worse`,t.worseForPeople],[`newly flaky`,t.newlyFlaky],[`without a score`,t.missing],[`with error`,t.errors],[`flaky`,t.flaky],[`changed`,t.changed],[`only in the baseline`,t.removed],[`only now`,t.added],[`fixed`,t.fixed]];const i=new Map;const bitsOf=t=>{const r=i.get(t)??{now:new Uint16Array(e.now.cases.length),baseline:new Uint16Array(e.baseline?.cases.length??0)};i.set(t,r);return r};for(const[e,t]of r){for(const{at:r,isOfBaseline:i,metric:a}of t){const t=i?bitsOf(a).baseline:bitsOf(a).now;t[r]=(t[r]??0)|bitOf(e)}}return i}function traitsOfRow(e,t,{nowAt:r,baselineAt:i}){const{now:a,baseline:o}=e.get(t)??{};return(a?.[r??-1]??0)|(o?.[i??-1]??0)}function bitOf(e){return 1<<O.indexOf(e)}function columnsOf(e,t,{now:r,baseline:i,traits:a}){const o=t?.direction===`lower`?1:-1;const nowOf=({nowAt:e})=>known(r?.means[e??-1]);const beforeOf=({baselineAt:e})=>known(i?.means[e??-1]);const harmOf=e=>{const[t,r]=[nowOf(e),beforeOf(e)];if(!e.isCompared||t===null||r===null)return null;return(0,x.Ft)(t,r)?0:o*(t-r)+0};const rankOf=t=>{const r=(traitsOfRow(a,e,t)&bitOf(`without a score`))!==0;return r?Number.MIN_VALUE:harmOf(t)};const bitsOf=(t,r)=>{const i=traitsOfRow(a,e,t)|traitsOfRow(a,undefined,t);if(!t.isCompared||r===null||r>0)return i;if(r===0)return i|bitOf(`same`);return(i&bitOf(`fixed`))===0?i|bitOf(`better`):i};const text=t=>t===null?``:(0,c.Ru)(e,t);const changeText=t=>{if(t===null||t===0)return t===null?``:`0`;return`${t*o<0?`−`:`+`}${(0,c.Ru)(e,Math.abs(t))}`};const of=t=>{const[r,i,a]=[t.map(nowOf),t.map(beforeOf),t.map(harmOf)];return{name:e,isLowerBetter:o>0,traits:t.map((e,t)=>bitsOf(e,a[t]??null)),...{baseline:i.map(cases_table_short),now:r.map(cases_table_short),harm:t.map(e=>cases_table_short(rankOf(e)))},...{baselineTexts:i.map(text),nowTexts:r.map(text),changeTexts:a.map(changeText)}}};return{rankOf,of}}function known(e){return e===undefined||Number.isNaN(e)?null:e}function cases_table_short(e){return e===null?null:Number(e.toPrecision(6))}var A=r(316519);;const j={width:340,height:250,left:46,right:330,top:24,bottom:212};function axisOf({name:e,low:t,high:r,range:i,isLog:a=false,ticks:o=5,text:s}){const c=t===r?[t-Math.abs(t)*.05-1e-9,r+Math.abs(r)*.05+1e-9]:[t,r];const l=(a?(0,A.ZE)():(0,A.m4)()).domain(c).range(i);const u=a?roundTicks(l.ticks(),o)??(0,A.m4)().domain(c).ticks(o):l.ticks(o);const d=i[0]>i[1]?16:34;let f=-Infinity;const p=u.filter(e=>{if(Math.abs(l(e)-f)<d)return false;f=l(e);return true});return{name:e,at:e=>l(e),ticks:p.map(e=>({value:e,text:s(e)}))}}function roundTicks(e,t){const[r,i]=[/^[125]e/,/^1e/].map(t=>e.filter(e=>t.test(e.toExponential())));if(r===undefined||i===undefined||r.length<2)return undefined;return r.length<=t+1||i.length<2?r:i}const M=[j.left,j.right];const N=[j.bottom,j.top];function chart({title:e,description:t,x:r,y:i,marks:a}){const{width:o,height:s,left:c,right:l,top:u,bottom:d}=j;return markup`<svg class="chart" viewBox="0 0 ${o} ${s}" role="img">
    <title>${e}</title>
    <desc>${t}</desc>
    <g class="axis">
      ${r.ticks.map(({value:e,text:t})=>markup`<line class="grid" x1="${n(r.at(e))}" x2="${n(r.at(e))}" y1="${u}" y2="${d}" /><text x="${n(r.at(e))}" y="${d+16}" text-anchor="middle">${t}</text>`)}
      ${i.ticks.map(({value:e,text:t})=>markup`<line class="grid" x1="${c}" x2="${l}" y1="${n(i.at(e))}" y2="${n(i.at(e))}" /><text x="${c-6}" y="${n(i.at(e)+4)}" text-anchor="end">${t}</text>`)}
      <line x1="${c}" x2="${l}" y1="${d}" y2="${d}" />
      <text class="name" x="${l}" y="${s-8}" text-anchor="end">${r.name}</text>
      <text class="name" x="${c-40}" y="10">${i.name}</text>
    </g>
    ${a}
  </svg>`}function figure({heading:e,badges:t,about:r,chart:i,table:a}){const o=a&&markup`<details class="numbers">
      <summary>Numbers</summary>
      ${a}
    </details>`;return markup`<figure>
    <figcaption><strong>${e} ${badgesMarkup(t)}</strong> <span class="soft">${r}</span></figcaption>
    ${i}${o}
  </figure>`}function n(e){return String(Math.round(e*100)/100)};const P=20;const F=300;function distributionOf(e){const{metric:t,facts:r,badges:i,now:a,baseline:o}=e;const[s,l]=boundsOf([a,o],r);if(a.length===0||new Set([...a,...o]).size<=2)return undefined;const u=(0,A.m4)().domain([s,l]).nice(P);const d=u.ticks(P);const[f=s,p=l]=u.domain();const m=[o,a].map(e=>sharesIn(e,d));const h=Math.max(...m.flat());const text=e=>(0,c.Ru)(t,e);const g=axisOf({name:`mean of a case`,low:f,high:p,range:M,text});const _=axisOf({name:`cases ↑`,low:0,high:h,range:N,ticks:4,text:percent});const[v=[],y=[]]=m;const place=e=>g.at(d[e]??0);const b=n(_.at(0));const x=v.map((e,t)=>{const[r,i]=[n(place(t)+1),n(place(t+1)-1)];return e===0?``:`M${r} ${b}V${n(_.at(e))}H${i}V${b}Z`});const S=y.map((e,t)=>`V${n(_.at(e))}H${n(place(t+1))}`);return figure({heading:`${t}: distribution`,badges:i,about:keysOf(o.length>0),chart:chart({title:`${t}: how the means of the cases are spread`,description:describe(e),...{x:g,y:_},marks:[markup`<path class="area baseline" d="${x.join(``)}" />`,markup`<path class="line now" d="M${n(place(0))} ${b}${S.join(``)}V${b}" />`]}),table:quantileTable(e)})}function latencyCurveOf(e){const{metric:t,facts:r,badges:i,now:a,baseline:o}=e;if(a.length<2)return undefined;const[s,l]=boundsOf([a,o],r);const text=e=>(0,c.Ru)(t,e);const u=axisOf({name:`mean of a case`,low:s,high:l,range:M,isLog:s>0,text});const d=axisOf({name:`share of cases ↑`,low:0,high:1,range:N,ticks:4,text:percent});return figure({heading:`${t}: share of cases at or below`,badges:i,about:keysOf(o.length>0),chart:chart({title:`${t}: the share of the cases up to each value`,description:describe(e),...{x:u,y:d},marks:[steps(o,`baseline`,u,d),steps(a,`now`,u,d)]}),table:quantileTable(e)})}function boundsOf(e,{low:t,high:r}){const i=e.flatMap(e=>e.length===0?[]:[e[0]??0,e.at(-1)??0]);return[Math.min(...i,t??Infinity),Math.max(...i,r??-Infinity)]}function sharesIn(e,t){const r=t.slice(1).map(()=>0);let i=0;for(const a of e){while(i<r.length-1&&a>=(t[i+1]??Infinity))i+=1;r[i]=(r[i]??0)+1}return r.map(t=>t/Math.max(1,e.length))}function steps(e,t,r,i){const[a]=e;if(a===undefined)return undefined;const o=Math.min(e.length,F);const s=Array.from({length:o},(t,s)=>{const c=Math.ceil((s+1)*e.length/o);return`H${n(r.at(e[c-1]??a))}V${n(i.at(c/e.length))}`});return markup`<path class="line ${t}" d="M${n(r.at(a))} ${n(i.at(0))}${s.join(``)}" />`}function percent(e){return`${String(Math.round(e*1e3)/10)} %`}function keysOf(e){return markup`<span class="key now">now</span>${e?markup` <span class="key baseline">baseline</span>`:``}`}function describe({metric:e,now:t,baseline:r,judgement:i}){const side=(t,r,i)=>i===undefined?``:`${t}: ${(0,a.pq)(r.length,`case`)}, median ${(0,c.Ru)(e,i.quantiles.p50)}. `;return`${side(`Now`,t,i.now)}${side(`Baseline`,r,i.baseline)}`.trimEnd()}const I=[`min`,`p50`,`p90`,`p95`,`p99`];function quantileTable({metric:e,judgement:t}){const row=(t,r)=>r&&markup`<tr>
      <th scope="row">${t}</th>
      <td class="n">${(0,c.Ru)(e,r.mean)}</td>
      ${I.map(t=>markup`<td class="n">${(0,c.Ru)(e,r.quantiles[t])}</td>`)}
    </tr>`;return markup`<table>
    <thead>
      <tr>
        <th></th>
        ${[`mean`,...I].map(e=>markup`<th scope="col" class="n">${e}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${row(`now`,t.now)}${row(`baseline`,t.baseline)}
    </tbody>
  </table>`};function chartedMetrics({judgement:e,results:t,baseline:r}){const i=r===undefined?E.Yh:(0,E.Q6)(t,r).pairs;return e.metrics.flatMap(a=>{const{metric:o,part:s,facts:c}=a;if(s!==undefined||!t.metrics.has(o))return[];const[u,d]=[(0,D.uV)(t,o),r&&(0,D.uV)(r,o)];const f=[...i.now].flatMap((e,t)=>{const[r,a]=[d?.means[i.baseline[t]??0]??Number.NaN,u.means[e]??Number.NaN];return Number.isNaN(r)||Number.isNaN(a)?[]:[[r,a]]});return[{metric:o,facts:c,judgement:a,badges:(0,l.W6)(a,e.rules),now:sorted(u),baseline:sorted(d),pairs:f}]})}function sorted(e){return e===undefined?new Float64Array:e.means.filter(e=>!Number.isNaN(e)).sort()};function runPage({document:e,parseCases:t,parseTexts:r,later:i}){const a=200;const find=t=>{const r=e.getElementById(t);if(r===null)throw new Error(`The page has no ${t}.`);return r};const make=(t,r,...i)=>{const a=e.createElement(t);a.className=r;const o={tr:`row`,td:`cell`,th:`rowheader`}[t];if(o!==undefined)a.setAttribute(`role`,o);a.append(...i);return a};const o=t(find(`cases-data`).textContent??``);const s=[...e.querySelectorAll(`.texts-data`)];const c=[];const[l,u]=[[],[]];const[d,f,p,m]=[find(`rows`),find(`metric`),find(`trait`),find(`label`)];const[h,g,_,v]=[find(`query`),find(`count`),find(`previous`),find(`next`)];const y=[...e.querySelectorAll(`[data-sort]`)];let b=o.isCompared?`change`:`now`;let x=o.isCompared||o.metrics[o.first]?.isLowerBetter===true;let[S,C]=[0,[]];const w=new Map;const metric=()=>o.metrics[Number(f.value)];const textsOf=e=>{const t=Math.floor(e/a);const i=s[t];if(i===undefined)return undefined;c[t]??=r(i.textContent??``);return c[t][e%a]};const labelsOf=e=>(o.metadata[e]??[]).map(e=>o.labels[e]??``).join(`, `);const statedOf=e=>u[e]??=`${o.names[e]??``}\n${o.places[e]??``}\n${labelsOf(e)}`.toLowerCase();const haystackOf=e=>{const{inputs:t=``,expected:r=``,now:i=[],baseline:a=[]}=textsOf(e)??{};const o=[...i,...a].map(({output:e=``,error:t=``})=>`${e}\n${t}`);return`${statedOf(e)}\n${[t,r,...o].join(`
`).toLowerCase()}`};const readAhead=()=>{const e=Math.min(l.length+a,o.names.length);for(let t=l.length;t<e;t+=1)l.push(haystackOf(t));if(e<o.names.length)i(readAhead);else if(h.value!==``)select()};const sortValues=()=>{if(b===`case`)return o.names;const e=metric();if(b===`verdict`)return(e?.traits??[]).map(e=>e===0?null:-(e&-e));return(b===`change`?e?.harm:b===`now`?e?.now:e?.baseline)??[]};const sorted=()=>{const e=`${f.value} ${b} ${String(x)}`;const t=w.get(e);if(t!==undefined)return t;const r=sortValues();const i=x?-1:1;const hasValue=e=>(r[e]??null)!==null;const a=[...o.names.keys()];const s=a.filter(hasValue).sort((e,t)=>{const a=r[e]??0;const o=r[t]??0;return a===o?e-t:a<o?-i:i});const c=[...s,...a.filter(e=>!hasValue(e))];w.set(e,c);return c};const select=()=>{const e=h.value.toLowerCase().split(/\s+/).filter(Boolean);const t=m.value===``?-1:Number(m.value);const r=p.value===``?0:1<<Number(p.value);const i=metric()?.traits??[];C=sorted().filter(a=>{if(r!==0&&((i[a]??0)&r)===0)return false;if(t!==-1&&!(o.metadata[a]??[]).includes(t))return false;const s=e.length===0?``:l[a]??statedOf(a);return e.every(e=>s.includes(e))});S=0;show()};const show=()=>{const e=C.slice(S,S+a);d.replaceChildren(...e.map(lineOf));for(const e of y){const t=e.dataset[`sort`]===b?x?`descending`:`ascending`:`none`;e.setAttribute(`aria-sort`,t)}_.disabled=S===0;v.disabled=S+a>=C.length;const t=o.names.length.toLocaleString(`en`);const r=C.length.toLocaleString(`en`);const i=e.length===C.length?``:`, showing ${S+1} to ${S+e.length}`;const s=h.value!==``&&l.length<o.names.length;const c=s?`Searching …`:`No case matches the filter.`;g.textContent=C.length===0?c:`${r} of ${t} cases${i}${s?` so far`:``}`};const lineOf=e=>{const t=metric();const r=t?.harm[e]??0;const i=r>0?`worse`:r<0?`better`:``;const a=make(`button`,`unfold`,o.names[e]??``);a.setAttribute(`aria-expanded`,`false`);a.dataset[`row`]=String(e);const s=make(`th`,``,a);s.setAttribute(`scope`,`row`);return make(`tr`,``,s,make(`td`,i,wordsOf(t?.traits[e]??0)),make(`td`,`n`,t?.baselineTexts[e]??``),make(`td`,`n`,t?.nowTexts[e]??``),make(`td`,`n ${i}`,t?.changeTexts[e]??``))};const wordsOf=e=>{const t=o.traits.filter((t,r)=>(e&1<<r)!==0);return(t.includes(`newly flaky`)?t.filter(e=>e!==`flaky`):t).join(`, `)};const detailOf=e=>{const t=make(`dl`,`facts`);const fact=(e,r)=>{if(r!==``)t.append(make(`div`,``,make(`dt`,``,e),make(`dd`,``,r)))};fact(`Place`,o.places[e]??``);for(const t of o.metrics){const[r,i]=[t.baselineTexts[e]??``,t.nowTexts[e]??``];fact(t.name,r===i||r===``?i:`${r} → ${i===``?`missing`:i}`)}fact(`Metadata`,labelsOf(e));const r=make(`td`,``,t,...textPartsOf(e));r.setAttribute(`colspan`,`5`);return make(`tr`,`detail`,r)};const textPartsOf=e=>{const t=textsOf(e);if(t===undefined)return[];if(t===null)return[make(`p`,`soft`,`The texts of this case were left out to limit the size of this page.`)];const{inputs:r,expected:i,against:a,baseline:o,now:s}=t;const c=a===`expected`?i??``:o[0]?.output??``;const side=(e,t)=>make(`div`,`side`,make(`h3`,``,e),...t.flatMap(e=>trialParts(e,c)));const l=[r===undefined?[]:[make(`h3`,``,`Input`),make(`pre`,``,r)]].flat();if(i!==undefined)l.push(make(`h3`,``,`Expected`),make(`pre`,``,i));if(a!==undefined){const e=a===`expected`?`what was expected`:`the baseline`;const[t,r]=[make(`del`,``,`left out`),make(`ins`,``,`added`)];l.push(make(`p`,`legend soft`,`Compared with ${e}: `,t,` `,r))}const u=o.length===0?[]:[side(`Baseline`,o)];if(s.length>0)u.push(side(`Now`,s));return[...l,make(`div`,`sides`,...u)]};const trialParts=({output:e,error:t,diff:r,times:i},a)=>{const o=i===undefined?[]:[make(`p`,`soft`,`${i} trials alike`)];if(t!==undefined)o.push(make(`pre`,`fault`,t));if(e===undefined)return t===undefined?[...o,make(`p`,`soft`,`No output.`)]:o;const s=make(`pre`,``);let[c,l]=[0,0];for(let t=0;t<(r?.length??0);t+=3){const[i=0,o=0,u=0]=r?.slice(t,t+3)??[];s.append(e.slice(l,l+i));if(o>0)s.append(make(`del`,``,a.slice(c+i,c+i+o)));if(u>0)s.append(make(`ins`,``,e.slice(l+i,l+i+u)));[c,l]=[c+i+o,l+i+u]}s.append(e.slice(l));return[...o,s]};const turnPage=e=>{S+=e*a;show();find(`cases`).scrollIntoView();d.querySelector(`button`)?.focus()};const showMetric=()=>{const t=o.traits.map(()=>0);for(const e of metric()?.traits??[]){for(let r=0;r<t.length;r+=1)t[r]=(t[r]??0)+(e>>r&1)}for(const r of e.querySelectorAll(`#trait option[value]:not([value=''])`)){const e=t[Number(r.value)]??0;r.textContent=`${o.traits[Number(r.value)]??``} (${e.toLocaleString(`en`)})`;r.hidden=e===0}select()};d.addEventListener(`click`,({target:e})=>{const t=e.closest(`button`);const r=e.closest(`tr`);if(t===null||r===null)return;const i=t.getAttribute(`aria-expanded`)===`true`;t.setAttribute(`aria-expanded`,String(!i));if(i)r.nextElementSibling?.remove();else r.after(detailOf(Number(t.dataset[`row`])))});for(const e of y){e.addEventListener(`click`,()=>{const t=e.dataset[`sort`]??``;x=t===b?!x:t!==`case`;b=t;select()})}for(const t of e.querySelectorAll(`[data-trait]`)){t.addEventListener(`click`,()=>{f.value=t.dataset[`metric`]??f.value;[p.value,m.value,h.value]=[t.dataset[`trait`]??``,``,``];showMetric()})}f.addEventListener(`change`,showMetric);for(const e of[p,m])e.addEventListener(`change`,select);h.addEventListener(`input`,select);_.addEventListener(`click`,turnPage.bind(undefined,-1));v.addEventListener(`click`,turnPage.bind(undefined,1));f.value=String(o.first);showMetric();i(readAhead)};const L=`
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
`;var R=r(828001);;function forestOf(e,t){return[...Map.groupBy(e,groupOf).values()].map(e=>{const r=e.flatMap(e=>plottedOf(e,t));const[i]=r;if(i===undefined)return{metrics:e,rowOf:()=>undefined,axis:undefined,hasMargin:false,hasBound:false};const a=scaleOf(r);return{metrics:e,rowOf:e=>{const t=r.find(t=>t.metric===e);return t&&rowMarkup(t,a)},axis:axisMarkup(i,a),hasMargin:r.some(({margin:e})=>e!==undefined),hasBound:r.some(({bound:e})=>e!==undefined)}})}function groupOf({metric:e,facts:t,comparison:r}){if(r===undefined)return`without a comparison`;const i=(0,c.FT)(t,r.scale);return JSON.stringify([i,r.direction,i===``?e:``])}function plottedOf(e,t){const{comparison:r}=e;if(r===undefined)return[];const i=r.scale===`ratio`?1:0;const{change:a,interval:o,direction:s}=r;const c=(s===`higher`?-1:1)*(a-i);const u=(0,l.N0)(e,t).flatMap(e=>allowedBy(e,r,c));const d=u.length===0?undefined:Math.min(...u)*(s===`higher`?-1:1);const f=(0,l.N0)(e,t).some(({rule:{test:e,isWarning:t},holds:r})=>e.by===`point`&&!t&&r===false);const p=o&&{low:o.low-i,high:o.high-i};const m=boundAsked(e,t)?r.bound:undefined;return[{...{metric:e,comparison:r,change:a-i,low:p?.low,high:p?.high,margin:d,isBroken:f},bound:m===undefined?undefined:m-i}]}function boundAsked(e,t){return(0,l.N0)(e,t).some(({rule:{test:e}})=>e.by===`not-worse`)}function allowedBy({rule:{test:e,value:t},holds:r},i,a){if(e.by===`not-worse`)return[(0,R.O)(e.margin,i)];if(e.by!==`point`||t.of!==`metric`||t.statistic!==`mean`)return[];const{most:o}=e;const s=i.scale===`ratio`&&!o.isRelative;const c=s?o.value/Math.abs(i.baseline.mean):(0,R.O)(o,i);const l=1e-9*Math.max(1,Math.abs(c));return r===a<=c+l?[c]:[]}function scaleOf(e){const t=e.flatMap(({change:e,low:t=0,high:r=0,margin:i=0,bound:a=0})=>{return[0,e,t,r,i,a]});const[r,i]=[Math.min(...t),Math.max(...t)];const a=(i-r)*.1||.01;const o=e[0]?.comparison.direction===`lower`;const s=(0,A.m4)().domain([r-a,i+a]).range(o?[100,0]:[0,100]);return{at:e=>s(e),ticks:s.ticks(4)}}function forest_plot_percent(e){return`${String(Math.round(e*100)/100)}%`}function toneOf({metric:{verdict:e},change:t,low:r,high:i,comparison:a,isBroken:o}){if(e===`incomplete`)return`plain`;if(e===`regressed`||o)return`worse`;const s=r!==undefined&&i!==undefined&&(r>0||i<0);return s&&t>0===(a.direction===`higher`)?`better`:`plain`}function rowMarkup(e,{at:t}){const{metric:r,comparison:i,change:a,low:o,high:s,margin:l,bound:u}=e;const d=toneOf(e);const f=forest_plot_percent(t(0));const text=e=>(0,c.k0)(r.facts,i.scale,e+(i.scale===`ratio`?1:0));const p=l===undefined?``:`; a rule allows ${text(l)}`;const m=u===undefined?undefined:(0,c.O6)(r.facts,i,r.metric);const h=l===undefined?undefined:forest_plot_percent(t(l));return markup`<svg class="forest" role="img" width="100%" height="100%">
    <title>${(0,c.Vb)(r)}: ${(0,c.VF)(r.facts,i)}${p}${m&&`; ${m}`}</title>
    ${h&&markup`<rect class="zone" x="0" y="0" width="${h}" height="100%" /><line class="margin" x1="${h}" x2="${h}" y1="0" y2="100%" />`}
    <line class="zero" x1="${f}" x2="${f}" y1="0" y2="100%" />
    ${o!==undefined&&s!==undefined&&markup`<line class="interval ${d}" x1="${forest_plot_percent(t(o))}" x2="${forest_plot_percent(t(s))}" y1="50%" y2="50%" />`}
    ${u!==undefined&&markup`<line class="bound" x1="${forest_plot_percent(t(u))}" x2="${forest_plot_percent(t(u))}" y1="25%" y2="75%" />`}
    <circle class="change ${d}" cx="${forest_plot_percent(t(a))}" cy="50%" r="5" />
  </svg>`}const z=22;function axisMarkup({metric:e,comparison:t},{at:r,ticks:i}){const{scale:a}=t;const text=t=>t===0?`0`:(0,c.k0)(e.facts,a,t+(a===`ratio`?1:0)).replace(/\.0(?= )/,``);const o=i.map(e=>({value:e,place:r(e)})).filter(({place:e})=>e>5&&e<95);const s=[];for(const e of o.toSorted((e,t)=>Math.abs(e.value)-Math.abs(t.value))){if(s.every(({place:t})=>Math.abs(t-e.place)>=z))s.push(e)}return markup`<svg class="forest" aria-hidden="true" width="100%" height="20">
    ${s.map(({value:e,place:t})=>markup`<line x1="${forest_plot_percent(t)}" x2="${forest_plot_percent(t)}" y1="0" y2="4" /><text x="${forest_plot_percent(t)}" y="16" text-anchor="middle">${text(e)}</text>`)}
  </svg>`};function rulesSection({rules:e}){if(e.length===0)return markup``;return markup`<section id="rules" aria-labelledby="rules-heading">
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
  </section>`}function ruleRow(e){const{rule:t,found:r,needed:i,verdict:o,places:s,advice:u,holds:d}=e;const f=(0,l.z6)(e);const{tone:p,mark:m}=l.Jx[f];const h=s.slice(0,B).map(S.Z9).join(`; `);const g=s.length-B;return markup`<tr role="row">
    <td role="cell"><span class="badge ${p}">${m} ${f}</span></td>
    <td role="cell"><code>${t.text}</code></td>
    <td role="cell">
      ${prose(r)}
      ${badgesMarkup((0,l.ml)(o))}${i&&markup`<small>${(0,c.Nd)(i)} would decide</small>`}${u!==undefined&&d!==true&&markup`<small>${prose(u)}</small>`}${h!==``&&markup`<small>${h}${g>0&&` and ${(0,a.lT)(g)} more`}</small>`}
    </td>
  </tr>`}const B=3;const V=200;function metricsSection({metrics:e,rules:t,baseline:r}){if(e.length===0)return markup`<section id="metrics">
      <h2>Metrics</h2>
      <p class="soft">There are no metrics.</p>
    </section>`;const i=e.slice(0,V);const a=e.length-i.length;const o=r!==undefined;const s=forestOf(i,t);return markup`<section id="metrics" aria-labelledby="metrics-heading">
    <h2 id="metrics-heading">Metrics</h2>
    <table class="metrics ${o?``:`alone`}" role="table" aria-labelledby="metrics-heading">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Metric</th>
          ${o&&markup`<th role="columnheader" scope="col" class="plot">
                <span class="ends"><span>← worse</span><span>change</span><span>better →</span></span>
              </th>
              <th role="columnheader" scope="col" class="n">Change [95 %]</th>`}
          <th role="columnheader" scope="col" class="n">Now [95 %]</th>
          ${o&&markup`<th role="columnheader" scope="col" class="n">Baseline</th>
              <th role="columnheader" scope="col" class="n">p</th>`}
        </tr>
      </thead>
      ${s.map(e=>markup`<tbody role="rowgroup">
            ${e.metrics.map(r=>metricRow(r,t,o&&e))}${e.axis&&markup`<tr class="ticks" aria-hidden="true">
                <td></td>
                <td class="plot">${e.axis}</td>
                <td colspan="4"></td>
              </tr>`}
          </tbody>`)}
    </table>
    ${o&&legendOf(s)} ${a>0&&markup`<p class="soft">${String(a)} more are not shown.</p>`}
  </section>`}function metricRow(e,t,r){const{comparison:i,baseline:a,facts:o,adjustedP:u=i?.p}=e;const[d,f]=[i?.p,u].map(e=>e===undefined?``:(0,c.C6)(e).replace(/^p /,``));const p=(0,l.W6)(e,t);const m=i&&boundAsked(e,t)&&(0,c.O6)(o,i,e.metric);const{name:h,better:g,change:_,now:v,baseline:y}=(0,s.GF)(e,t);return markup`<tr role="row">
    <th role="rowheader" scope="row"><span class="metric">${h}</span> ${badgesMarkup(p)}
      <small>better: ${g}</small></th>
    ${r&&markup`<td role="cell" class="plot">${r.rowOf(e)}</td>
        <td role="cell" class="n" data-label="change">${_||`not compared`}${m&&markup`<small>${m}</small>`}${notesOf(e)}</td>`}
    <td role="cell" class="n" data-label="now">${levelCell(e,e.now,v)}</td>
    ${r&&markup`<td role="cell" class="n" data-label="baseline">${levelCell(e,a,y)}</td>
        <td role="cell" class="n" data-label="p">${d}${i&&f!==d&&markup`<small>over all rules ${f}</small>`}</td>`}
  </tr>`}function levelCell({metric:e,facts:t},r,i){if(r===undefined)return`none`;const{p50:a,p95:o}=r.quantiles;if(t.kind!==`positive`)return i;return markup`${i}<small>median ${(0,c.Ru)(e,a)}, p95 ${(0,c.Ru)(e,o)}</small>`}function notesOf(e){const{comparison:t,noise:r,ifMissing:i,facts:a}=e;if(t===undefined)return undefined;const{scale:o}=t;const s=(0,c.b8)(e);const l=r!==undefined&&markup`<small>baseline runs differ by up to ${(0,c.k0)(a,o,r).replace(/^\+/,``)}</small>`;const u=i&&markup`<small>missing scores could make it ${(0,c.k0)(a,`difference`,i.worst)} to
      ${(0,c.k0)(a,`difference`,i.best)}</small>`;return[s!==undefined&&markup`<small>${s}</small>`,l,u]}function legendOf(e){if(e.every(({axis:e})=>e===undefined))return undefined;const t=e.some(({hasMargin:e})=>e);const r=e.some(({hasBound:e})=>e);return markup`<p class="legend soft">
    <span class="mark dot"></span> change with its 95 % interval
    <span class="mark bar"></span> no change, worse is to its left
    ${r&&markup`<span class="mark bound"></span> how bad the change may be`}
    ${t&&markup`<span class="mark zone"></span> more harm than a rule allows`}
  </p>`};const H=30;const U=4;const W=26;function scatterOf({metric:e,facts:t,badges:r,pairs:i}){if(i.length===0)return undefined;const o=i.flat();const s=o.reduce((e,t)=>Math.min(e,t),t.low??Infinity);const l=o.reduce((e,t)=>Math.max(e,t),t.high??-Infinity);const u=new Set(i.map(([e,t])=>`${String(e)} ${String(t)}`));const d=u.size<=H;const f=d?W+14:6;const axis=(r,[i,a])=>{const u=Math.sign(a-i)*f;const d=t.kind===`binary`&&o.every(Number.isInteger);const[p,m]=[t.kind===`positive`&&s>0,d?1:4];return axisOf({name:r,low:s,high:l,range:[i+u,a-u],isLog:p,ticks:m,text:t=>(0,c.Ru)(e,t)})};const[p,m]=[axis(`baseline →`,M),axis(`now ↑`,N)];const h=spotsOf(i,{x:p,y:m,facts:t,cell:d?undefined:U});const count=e=>h.reduce((t,r)=>t+(r.tone===e?r.count:0),0);const[g,_,v]=[count(`worse`),count(`better`),count(`same`)];const y=`${(0,a.lT)(g)} worse, ${(0,a.lT)(_)} better, ${(0,a.lT)(v)} the same`;const b=markup`<line class="zero" x1="${n(p.at(s))}" y1="${n(m.at(s))}" x2="${n(p.at(l))}" y2="${n(m.at(l))}" />`;const[x,S]=t.direction===`higher`?[`better`,`worse`]:[`worse`,`better`];const{left:C,right:w,top:T,bottom:E}=j;const D=markup`<text class="corner ${x}" x="${C+6}" y="${T+8}">${x}</text>
    <text class="corner ${S}" x="${w-4}" y="${E-8}" text-anchor="end">${S}</text>`;const O=chart({title:`${e}: each case, baseline against now`,description:`${(0,a.pq)(i.length,`case`)}: ${y}.`,...{x:p,y:m},marks:[b,d?bubbles(h):dots(h),D]});const k=markup`${g>0?markup`<span class="worse">${(0,a.lT)(g)} worse</span>`:`0 worse`},
  ${_>0?markup`<span class="better">${(0,a.lT)(_)} better</span>`:`0 better`}, ${(0,a.lT)(v)} the
  same`;return figure({heading:`${e}: each case`,badges:r,about:k,chart:O})}function spotsOf(e,{x:t,y:r,facts:i,cell:a}){const o=new Map;const rounded=e=>a===undefined?e:Math.round(e/a)*a;for(const[a,s]of e){const e=i.direction===`higher`?s-a:a-s;const c=(0,x.Ft)(s,a)?`same`:e>0?`better`:`worse`;const[l,u]=[rounded(t.at(a)),rounded(r.at(s))];const d=`${n(l)} ${n(u)} ${c}`;const f=o.get(d)??{x:l,y:u,tone:c,count:0};o.set(d,f);f.count+=1}return[...o.values()]}function bubbles(e){const t=Math.max(...e.map(({count:e})=>e));return e.toSorted((e,t)=>t.count-e.count).map(({x:e,y:r,tone:i,count:o})=>{const s=Math.max(3,Math.sqrt(o/t)*W);const[c,l]=s>11?[e,`middle`]:[e+s+3,`start`];return markup`<circle class="spot ${i}" cx="${n(e)}" cy="${n(r)}" r="${n(s)}" />
        <text class="count" x="${n(c)}" y="${n(r+4)}" text-anchor="${l}">${(0,a.lT)(o)}</text>`})}function dots(e){const t=e.reduce((e,{count:t})=>Math.max(e,t),0);const shadeOf=e=>String(Math.ceil(4*Math.sqrt(e/t)));const r=Map.groupBy(e,({tone:e,count:t})=>`${e} shade-${shadeOf(t)}`);return[...r].toSorted(([e],[t])=>e<t?-1:1).map(([e,t])=>{return markup`<path class="dots ${e}" d="${t.map(({x:e,y:t})=>`M${n(e)} ${n(t)}h0`).join(``)}" />`})}var G=r(840031);var K=r(635337);;async function renderReport(e,t){const{judgement:r}=e;const{dataset:i}=r.now;const{word:a,tone:o}=l.f[r.status];const s=t.title??i.name??i.id??`Evaluation`;const c=tableOfCases(e);const u=t.showsTexts?textsOf(c.cases):undefined;const d=markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${J}">
<meta name="viewport" content="width=device-width">
<title>${a}: ${s}</title>
<style>${new Markup(L)}</style>
<body>
<a class="skip" href="#cases">Skip to the cases</a>
<header>
<p class="about"><span class="badge ${o}">${a}</span> <span>${s}</span></p>
<h1>${prose(r.headline)}</h1>
<p class="soft">${sidesOf(r)}</p>
${linksOf(c)}
</header>
<main>
${noticesOf(r)}
${metricsSection(r)}
${rulesSection(r)}
${chartsSection(e)}
${runFacts(r)}
${casesSection(c,u)}
</main>
<script>${new Markup(q)}<\/script>
</html>
`;return await Promise.resolve(d.text)}const q=`(${runPage.toString()})({
document: document,
parseCases: JSON.parse,
parseTexts: JSON.parse,
later: (work) => (window.requestIdleCallback ?? window.setTimeout)(work),
});`;function hashOf(e){return`'sha256-${(0,i.createHash)(`sha256`).update(e).digest(`base64`)}'`}const J=[`default-src 'none'`,`script-src ${hashOf(q)}`,`style-src ${hashOf(L)}`,`base-uri 'none'`,`form-action 'none'`,`require-trusted-types-for 'script'`,`trusted-types 'none'`].join(`; `);function sidesOf({now:e,baseline:t}){const side=({cases:e,trials:t,commit:r,created:i,isCreatedUnsure:a})=>[(0,c.lP)(e,t),...r===undefined?[]:[`commit ${r.slice(0,12)}`],...a===true?[]:[timeText(i)]].join(`, `);if(t===undefined)return side(e);const r=t.runs>1?` of ${(0,a.pq)(t.runs,`run`)}`:``;return`${side(e)}; against ${side(t)}${r}`}const Y=[[`newly failing`,`worse`],[`worse`,`worse`],[`newly flaky`,`worse`],[`without a score`,`warn`],[`with error`,`warn`],[`fixed`,`better`],[`better`,`better`]];function linksOf({data:e}){const t=e.metrics[e.first];if(t===undefined)return undefined;const r=Y.flatMap(([r,i])=>{const o=bitOf(r);const s=t.traits.filter(e=>(e&o)!==0).length;const c=markup`<li class="${i}"><a href="#cases" data-metric="${e.first}" data-trait="${e.traits.indexOf(r)}"><b>${(0,a.lT)(s)}</b> ${r}</a></li>`;return s===0?[]:[c]});if(r.length===0)return undefined;return markup`<div class="links"><span class="soft">Cases by ${t.name}:</span><ul>${r}</ul></div>`}const X=50;function noticesOf({gaps:e,warnings:t}){const r=[...e.slice(1).map(({message:e})=>markup`<li class="gap">${prose(e)}</li>`),...t.map(e=>markup`<li>${prose(e)}</li>`)];if(r.length===0)return undefined;const i=r.length-X;return markup`<ul class="notices" aria-label="Gaps and warnings">
    ${r.slice(0,X)}${i>0&&markup`<li>${(0,a.lT)(i)} more.</li>`}
  </ul>`}const Z=8;function chartsSection(e){const t=new Set(e.judgement.rules.map(({rule:{value:e}})=>e.of===`metric`?e.metric:``));const r=chartedMetrics(e);const i=r.slice(0,Z).flatMap(e=>{const r=e.facts.kind===`positive`;const i=[scatterOf(e),r?latencyCurveOf(e):distributionOf(e)];const a=i.filter(e=>e!==undefined);return a.length===0?[]:[{isRuled:t.has(e.metric),figures:a}]});const[o,s]=[i.filter(({isRuled:e})=>e),i.filter(({isRuled:e})=>!e)];if(i.length===0)return undefined;const c=r.length-Z;const figuresOf=e=>markup`<div class="figures">${e.map(({figures:e})=>e)}</div>`;const l=markup`<details><summary>Charts of ${(0,a.pq)(s.length,`metric`)} without a rule</summary>${figuresOf(s)}</details>`;return markup`<section id="charts" aria-labelledby="charts-heading">
    <h2 id="charts-heading">How the cases are distributed</h2>
    ${figuresOf(o.length===0?s:o)}
    ${o.length>0&&s.length>0&&l}
    ${c>0&&markup`<p class="soft">${(0,a.pq)(c,`more metric`)} ${c===1?`has`:`have`} no charts here.</p>`}
  </section>`}const Q=[[`Measured`,({cases:e,trials:t})=>(0,c.lP)(e,t)],[`Rows with an error`,({errors:e})=>(0,a.lT)(e)],...s.VT,[`Dataset`,({dataset:{name:e,id:t}})=>e??t],[`Workflow run`,({run:e})=>e],[`Ended`,({created:e,isCreatedUnsure:t})=>t===true?undefined:timeText(e)],[`Concurrency`,({concurrency:e})=>e===undefined?undefined:(0,a.lT)(e)]];const $=20;function runFacts({now:e,baseline:t}){const r=Q.flatMap(([r,i])=>{const[a,o]=[i(e),t&&i(t)];return a===undefined&&o===undefined?[]:[row(r,a??`–`,t&&(o??`–`))]});if(t!==undefined){const i=(0,o.hy)(t,new Date(e.created));if(i!==undefined&&i>0)r.push(row(`Age of the baseline`,``,(0,G.QF)(i)));const a=(0,K.KE)(t.sources,{conjunction:`and`,most:$});r.push(row(t.runs>1?`Files of ${String(t.runs)} runs`:`Files`,``,a))}return markup`<section id="runs" aria-labelledby="runs-heading">
    <h2 id="runs-heading">${t===undefined?`What was measured`:`What was compared`}</h2>
    <table aria-labelledby="runs-heading">
      <thead>
        <tr>
          <td></td>
          <th scope="col">Now</th>
          ${t&&markup`<th scope="col">Baseline</th>`}
        </tr>
      </thead>
      <tbody>
        ${r}
      </tbody>
    </table>
  </section>`}function row(e,t,r){return markup`<tr>
    <th scope="row">${e}</th>
    <td>${t}</td>
    ${r!==undefined&&markup`<td>${r}</td>`}
  </tr>`}function timeText(e){const[,t=e,r=``]=/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(e)??[];return r===``?t:`${t} ${r} UTC`}}),975492:((e,t,r)=>{r.d(t,{U:()=>unescapeHtml,Z:()=>escapeHtml});function escapeHtml(e){return e.replace(/[&<>"']/g,e=>`&#${String(e.charCodeAt(0))};`)}const i=new Map([[`amp`,`&`],[`apos`,`'`],[`gt`,`>`],[`lt`,`<`],[`nbsp`,` `],[`quot`,`"`]]);function unescapeHtml(e){return e.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,5}));/gi,(e,t,r,a)=>{if(typeof a===`string`)return i.get(a.toLowerCase())??e;const o=typeof t===`string`?Number(t):Number.parseInt(String(r),16);return o<1114112?String.fromCodePoint(o):e})}})};