/**
 * ESLint rule: how many lines a function has of its own, nested functions, blank lines and comments not counted.
 * The built-in rule counts nested ones too, which would forbid factories that return closures.
 */
export const ownLinesPerFunction = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: { tooLong: 'This function has {{count}} lines of its own, {{max}} are allowed.' },
  },
  create(context) {
    const [max] = context.options;
    const outer = [];
    const enter = (node) => outer.push({ node, nested: [] });
    const leave = (node) => {
      const { nested } = outer.pop();
      outer.at(-1)?.nested.push(node);
      const count = ownLines(context.sourceCode, node, nested);
      if (count > max) context.report({ node, messageId: 'tooLong', data: { count, max } });
    };
    const kinds = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
    return Object.fromEntries(kinds.flatMap((kind) => [[kind, enter], [`${kind}:exit`, leave]]));
  },
};

/** Lines that hold a token of the function outside its nested functions. */
function ownLines(source, node, nested) {
  const lines = new Set();
  for (const token of source.getTokens(node)) {
    if (nested.some((inner) => token.range[0] >= inner.range[0] && token.range[1] <= inner.range[1])) continue;
    for (let line = token.loc.start.line; line <= token.loc.end.line; line += 1) lines.add(line);
  }
  return lines.size;
}
