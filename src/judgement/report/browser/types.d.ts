import type * as cases from "../cases-data.ts";

// A script of a page names no module, so what it is given has global names here.
declare global {
  type CasesData = cases.CasesData;
  type CaseTexts = cases.CaseTexts;
  type TrialText = cases.TrialText;
}
