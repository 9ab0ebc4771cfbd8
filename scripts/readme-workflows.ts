import { isMap, isSeq, parseDocument } from "yaml";

/** A workflow to validate. `line` is where it begins in its file, 1-based, so that a finding can be found again. */
export interface WorkflowText {
  readonly text: string;
  readonly line: number;
}

/** Any `uses:` of this project's actions, whatever the owner is called; the path names a further action. */
const usesOurs = /uses:\s*["']?[^\s"'/]+\/graph-deploy(\/[^\s"'@]+)?@/;

/**
 * The workflows among the ```yaml blocks of a markdown file: the blocks that use one of our actions. A block that
 * shows only steps or a job is completed to a workflow, so that it can be validated like one.
 */
export function readmeWorkflows(markdown: string): WorkflowText[] {
  return yamlBlocks(markdown)
    .filter((block) => usesOurs.test(block.text))
    .map((block) => ({ ...block, ...completed(block) }));
}

function yamlBlocks(markdown: string): WorkflowText[] {
  const blocks: WorkflowText[] = [];
  let open: { indent: string; fence: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    if (open === undefined) {
      const [, indent, fence] = /^(\s*)(`{3,})ya?ml\b/.exec(line) ?? [];
      if (indent !== undefined && fence !== undefined) open = { indent, fence, line: index + 2, lines: [] };
    } else if (line.trim() === open.fence) {
      blocks.push({ text: `${open.lines.join("\n")}\n`, line: open.line });
      open = undefined;
    } else {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    }
  }
  return blocks;
}

function completed({ text, line }: WorkflowText): WorkflowText {
  const { contents } = parseDocument(text);
  if (isSeq(contents))
    return wrapped("on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n", 6, text, line);
  if (!isMap(contents) || contents.has("on")) return { text, line };
  if (contents.has("jobs")) return wrapped("on: push\n", 0, text, line);
  if (contents.has("uses"))
    return wrapped("on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n      -\n", 8, text, line);
  const runsOn = contents.has("runs-on") ? "" : "    runs-on: ubuntu-latest\n";
  if (contents.has("steps")) return wrapped(`on: push\njobs:\n  job:\n${runsOn}`, 4, text, line);
  return wrapped("on: push\njobs:\n", 2, text, line);
}

function wrapped(head: string, indent: number, text: string, line: number): WorkflowText {
  const body = text.replace(/^(?=.)/gm, " ".repeat(indent));
  return { text: head + body, line: line - (head.split("\n").length - 1) };
}
