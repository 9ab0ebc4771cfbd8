import * as z from "zod";
import { anyText, type ShapesOf, somePath } from "../contract/call-arguments.ts";
import type { FoundFile } from "./find-files.ts";

/** The shape of files that a caller has found. */
export const foundFiles = z.array(
  z.strictObject(
    { path: somePath, name: anyText } satisfies ShapesOf<FoundFile>,
    "must be a file with path and name, as findFiles returns it",
  ),
  "must be a list of files",
);
