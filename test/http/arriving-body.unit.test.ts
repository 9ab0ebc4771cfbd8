import { expect, test } from "vitest";
import { ArrivingBody } from "../../src/http/arriving-body.ts";

test("the response to a request that was aborted before it was sent has no head", async () => {
  const body = new ArrivingBody(AbortSignal.abort());
  await expect(body.head).rejects.toThrow("The request was aborted.");
});
