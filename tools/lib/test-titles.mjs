/**
 * The titles of the tests in a file, read from its text: `test('...')`, `it('...')` and `describe('...')`, also of tables (`test.each(cases)('...')`).
 * The title of a table has placeholders; a case is named by the words that stand in the table for them.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const placeholders = /%[sdifjop#%]|\$\w[\w.]*|\$\{\}/g;

/**
 * @param {string} path of a file of tests
 * @returns {(words: string) => boolean} whether the title of a test, of a group of tests, or of a case of a table begins with the words
 */
export function readTestTitles(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS);
  const titles = titlesOf(file);
  return (words) => titles.some(({ parts, formats, values }) => begins(words, parts, formats, values));
}

/** Whether a title begins with the words: `parts` are its texts around the placeholders, `values` what may stand for one. */
function begins(words, [text, ...parts], [format, ...formats], values) {
  if (words.length <= text.length) return text.startsWith(words);
  if (!words.startsWith(text)) return false;
  if (format === undefined) return false;
  const rest = words.slice(text.length);
  const written = format === '%j' || format === '%p' ? values.map((value) => value.json) : values.map((value) => value.text);
  return written.some((one) => one.startsWith(rest) || (rest.startsWith(one) && begins(rest.slice(one.length), parts, formats, values)));
}

function titlesOf(file) {
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.arguments.length > 1 && ['test', 'it', 'describe'].includes(rootName(node.expression))) {
      const [text, values] = [titleText(node.arguments[0]), tableValues(node, file)];
      const formats = (values !== null && text?.match(placeholders)) || [];
      if (text !== null) titles.push({ parts: formats.length > 0 ? text.split(placeholders) : [text], formats, values });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

/** `test` of `test.each(cases)`, of `it.each` with a template, of `describe.each`. */
function rootName(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return rootName(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootName(node.tag) : '';
}

/** The text of a title, `${}` for what is computed; null when all of it is. */
function titleText(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('');
}

/** The literals of a test's table, null where it has none; of a title that is computed (a loop makes the tests), those of the whole file. */
function tableValues(call, file) {
  if (ts.isTemplateExpression(call.arguments[0])) return literalsIn(file, file);
  const each = call.expression;
  if (ts.isCallExpression(each)) return each.arguments.flatMap((argument) => literalsIn(argument, file));
  return ts.isTaggedTemplateExpression(each) ? literalsIn(each.template, file) : null;
}

const keywords = new Map([[ts.SyntaxKind.TrueKeyword, true], [ts.SyntaxKind.FalseKeyword, false], [ts.SyntaxKind.NullKeyword, null]]);

/** The value of a literal, of a list or of an object of literals; undefined when something in it is computed. */
function valueOf(node) {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) return valueOf(node.expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (keywords.has(node.kind)) return keywords.get(node.kind);
  if (ts.isArrayLiteralExpression(node)) return whole(node.elements.map(valueOf));
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const values = whole(node.properties.map((one) => (ts.isPropertyAssignment(one) ? valueOf(one.initializer) : undefined)));
  return values && Object.fromEntries(node.properties.map(({ name }, index) => [name.text, values[index]]));
}

const whole = (values) => (values.includes(undefined) ? undefined : values);

/** Texts and numbers that stand in an expression, also in the constants of the file that it names. */
function literalsIn(root, file, seen = new Set()) {
  const found = [];
  const visit = (node) => {
    const value = valueOf(node);
    if (value !== undefined) found.push({ text: typeof value === 'string' ? value : JSON.stringify(value), json: JSON.stringify(value) });
    else if (ts.isIdentifier(node) && !seen.has(node.text)) {
      seen.add(node.text);
      const constant = constantOf(node.text, file);
      if (constant) found.push(...literalsIn(constant, file, seen));
    }
    // The name of a property is text that a table may print: `Object.entries({ paused: ... })`.
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) found.push({ text: node.name.text, json: JSON.stringify(node.name.text) });
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found.filter(({ text }) => text !== '');
}

function constantOf(name, file) {
  let found;
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) found ??= node.initializer;
    if (found === undefined) ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
