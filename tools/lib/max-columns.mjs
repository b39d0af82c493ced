/**
 * ESLint rule: how many columns a line may have (`max_line_length` of `.editorconfig`).
 * A literal may go further, because a text broken in two is no longer found by a search.
 */
export const maxColumns = {
  meta: {
    type: 'layout',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: { tooLong: 'This line has {{count}} columns, {{max}} are allowed.' },
  },
  create(context) {
    const [max] = context.options;
    return {
      Program() {
        const { lines } = context.sourceCode;
        lines.forEach((text, index) => {
          const count = [...text].length;
          if (count <= max || insideLiteral(context.sourceCode, index + 1, max)) return;
          context.report({ loc: { line: index + 1, column: max }, messageId: 'tooLong', data: { count, max } });
        });
      },
    };
  },
};

/** Whether the first column that is too many belongs to a literal; what a template embeds is a part of it. */
function insideLiteral(source, line, max) {
  const node = source.getNodeByRangeIndex(source.getIndexFromLoc({ line, column: max }));
  const isText = node?.type === 'Literal' && (typeof node.value === 'string' || node.regex);
  return isText || [node, ...source.getAncestors(node)].some(({ type }) => type === 'TemplateLiteral');
}
