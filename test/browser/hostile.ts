import { ELSEWHERE } from "./browser.ts";

/** What a title or an attribute becomes when foreign text runs. */
export const OWNED = "owned-by-foreign-text";

const RUN = `document.title='${OWNED}';document.documentElement.lang='${OWNED}';alert(1)`;

/** Texts that run, load or turn around when a page takes them for markup. */
export const HOSTILE_TEXTS = [
  `<script>${RUN}</script>`,
  `<img src=${ELSEWHERE}/image onerror="${RUN}">`,
  `"><svg onload="${RUN}">`,
  `' autofocus onfocus='${RUN}' x='`,
  `</pre></dd></dl></article></title></style><script src="${ELSEWHERE}/script"></script>`,
  `<iframe src="${ELSEWHERE}/frame"></iframe><link rel=stylesheet href="${ELSEWHERE}/style">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}/away"><base href="${ELSEWHERE}/">`,
  `<form action="${ELSEWHERE}/form"><button>Compare</button></form>`,
  `&lt;script&gt;${RUN}&lt;/script&gt; &#60;b&#62; &amp;`,
  "<!-- --><![CDATA[ ]]>{{7*7}}${7*7}",
  "\u202egnp.exe\u2066 \ufdfd \u{1f98a}\u{1f469}\u200d\u{1f469}\u200d\u{1f467} e\u0301 \u0000 \u0007 end",
] as const;

/** All of them, one after the other. */
export const HOSTILE = HOSTILE_TEXTS.join(" | ");
