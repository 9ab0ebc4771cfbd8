import { expect, test } from "vitest";
import { annotation, workflowCommand } from "../../action/workflow-command.ts";

test("a command escapes what would end its data or a property", () => {
  expect(workflowCommand("group", "50%\r\nx:y,z")).toBe("::group::50%25%0D%0Ax:y,z");
  expect(annotation("error", "a", { title: "b:c,d%", file: "e\n.py", line: 7 })).toBe(
    "::error title=b%3Ac%2Cd%25,file=e%0A.py,line=7::a",
  );
});

test("an annotation holds no command of its own, and ends where the runner would cut it", () => {
  expect(annotation("warning", "::error::x ##[group]y")).toBe("::warning::: :error::x ## [group]y");
  expect(annotation("warning", "x".repeat(5_000))).toBe(`::warning::${"x".repeat(3_999)}…`);
});
