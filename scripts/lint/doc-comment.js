/**
 * Each exported declaration has a doc comment. Only what is declared at the export is looked at: a re-export is
 * documented where it stands.
 *
 * @type {import("eslint").Rule.RuleModule}
 */
export const docComment = {
  meta: {
    type: "suggestion",
    messages: { missing: "An export needs a doc comment: one sentence that says what it is for." },
    schema: [],
  },
  create(context) {
    return {
      ExportNamedDeclaration(node) {
        if (node.declaration == null || isFurtherOverload(node) || isTypeOfConstant(node)) return;
        const comments = context.sourceCode.getCommentsBefore(node);
        const last = comments.at(-1);
        if (last?.type !== "Block" || !last.value.startsWith("*")) context.report({ node, messageId: "missing" });
      },
    };
  },
};

/** `export type Deployment = z.infer<typeof Deployment>`, right after the schema that is documented. */
function isTypeOfConstant(node) {
  const siblings = node.parent.body;
  const before = siblings[siblings.indexOf(node) - 1]?.declaration;
  const name = node.declaration.id?.name;
  return name !== undefined && before?.type === "VariableDeclaration" && before.declarations[0]?.id.name === name;
}

/** The first of several overloads is documented, and the others belong to it. */
function isFurtherOverload(node) {
  const siblings = node.parent.body;
  const before = siblings[siblings.indexOf(node) - 1]?.declaration;
  const name = node.declaration.id?.name;
  return before?.type === "TSDeclareFunction" && name !== undefined && before.id?.name === name;
}
