import { expect, test } from "vitest";
import { formatNamed } from "../../../src/experiments/reading/formats.ts";
import { expectReading, oddFiles, openOddFile } from "./odd-files.ts";
import { mappingOf, readAll, refusalOf } from "./reading.ts";

test.each(oddFiles())("%s: %s", async (_table, _name, odd) => {
  const [format, file] = [formatNamed(odd.format), openOddFile(odd)];
  if (odd.isSeen !== undefined) expect(format.detect(file)).toBe(odd.isSeen);
  if (odd.isSeen === false) return;
  const mapping = odd.mapping === undefined ? undefined : await mappingOf(odd.mapping);
  if (odd.refused !== undefined) {
    expect(await refusalOf(format, file, mapping)).toEqual(odd.refused);
    return;
  }
  const { workspace } = odd;
  const reading = await readAll(format, file, {
    ...(mapping && { mapping }),
    ...(workspace !== undefined && { workspace }),
  });
  expectReading(reading, odd);
});
