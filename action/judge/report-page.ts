import type { Judged } from "../../src/judgement/run.ts";

/** The page of a judgement. Its code, which draws, is loaded only here. */
export async function reportPage(judged: Judged, options: { readonly showsTexts: boolean }): Promise<string> {
  const { renderReport } = await import("../../src/judgement/report/page.ts");
  return await renderReport(judged, options);
}
