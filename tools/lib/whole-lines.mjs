/**
 * ESLint rule: how many lines a function has with all that is nested in it, blank lines and comments not counted. A factory whose
 * closure is larger is a class whose state cannot be seen. Those that still are stand in tools/long-functions.json with their
 * lines, a list that may only get shorter: they may not grow, and `npm run gen` removes those that are short enough.
 */
export const wholeLinesPerFunction = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }, { type: 'object', additionalProperties: { type: 'integer' } }],
    messages: {
      tooLong: '{{name}} has {{count}} lines with all that is nested in it, {{max}} are allowed: divide it, or make it a class whose invariant stands at its head.',
    },
  },
  create(context) {
    const [max, known = {}] = context.options;
    const path = context.filename.replaceAll('\\', '/');
    const check = (node) => {
      const name = nameOf(node);
      const count = new Set(context.sourceCode.getTokens(node).map(({ loc }) => loc.start.line)).size;
      const entry = Object.keys(known).find((one) => one.endsWith(`#${name}`) && path.endsWith(one.slice(0, one.indexOf('#'))));
      const allowed = entry === undefined ? max : known[entry];
      if (count > allowed) context.report({ node, messageId: 'tooLong', data: { name, count, max: allowed } });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};

/** The name that a function is declared with, or is the value of; `function` when it has none. */
function nameOf({ id, parent }) {
  const named = id ?? (parent?.type === 'VariableDeclarator' ? parent.id : parent?.key);
  return named?.name ?? 'function';
}
