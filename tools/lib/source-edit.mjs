/**
 * Edits of TypeScript sources through their syntax tree: one more import, entry of a list, property, part of a type. The rest of the
 * source stays as it is, comments included. An edit that finds no place says so and changes nothing.
 */
import ts from 'typescript';
import { StepError } from './steps.mjs';

const maxColumns = 130;

const parse = (source) => ts.createSourceFile('edited.ts', source, ts.ScriptTarget.ES2022, true);

/**
 * The source with a name imported, beside those that the module gives already, or by an import of its own, in order of modules.
 * @param {{ from: string, name: string, type?: boolean }} wanted `type`: only its type is needed
 */
export function withImport(source, { from, name, type = false }) {
  const file = parse(source);
  const imports = file.statements.filter(ts.isImportDeclaration);
  const named = imports.filter(({ importClause }) => importClause?.namedBindings && ts.isNamedImports(importClause.namedBindings));
  const same = named.filter((each) => each.moduleSpecifier.text === from);
  if (same.some((each) => each.importClause.namedBindings.elements.some((element) => element.name.text === name))) return source;
  const open = same.find(({ importClause }) => type || !isTypeOnly(importClause));
  if (open) {
    const { namedBindings } = open.importClause;
    const text = type && !isTypeOnly(open.importClause) ? `type ${name}` : name;
    return inserted(source, namedBindings, namedBindings.elements, text, 'by name');
  }
  const line = `import ${type ? 'type ' : ''}{ ${name} } from '${from}';\n`;
  const before = imports.filter(({ moduleSpecifier }) => orderOf(moduleSpecifier.text) < orderOf(from)).at(-1);
  if (before) return splice(source, lineAfter(source, before.end), 0, line);
  return splice(source, imports.length > 0 ? imports[0].getStart(file) : 0, 0, line);
}

/** Node's modules, then packages, then files. */
const orderOf = (module) => `${module.startsWith('node:') ? 0 : module.startsWith('.') ? 2 : 1} ${module}`;

const isTypeOnly = (importClause) => importClause.isTypeOnly || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword;

/** The source with one more `export * from`, in order of modules. */
export function withExportFrom(source, from) {
  const exports = parse(source).statements.filter((each) => ts.isExportDeclaration(each) && each.moduleSpecifier && !each.exportClause);
  if (exports.some(({ moduleSpecifier }) => moduleSpecifier.text === from)) return source;
  const line = `export * from '${from}';\n`;
  const before = exports.filter(({ moduleSpecifier }) => moduleSpecifier.text < from).at(-1);
  if (before) return splice(source, lineAfter(source, before.end), 0, line);
  return splice(source, exports.length > 0 ? exports[0].getStart() : source.length, 0, line);
}

/**
 * The source with one more element of the list that a constant is, or that the function answers which it is.
 * @param {'last' | 'in order'} place `in order`: of the texts
 * @throws StepError when there is no such list
 */
export function withElement(source, constant, text, place = 'last') {
  const list = literalOf(source, constant, ts.isArrayLiteralExpression);
  return inserted(source, list, list.elements, text, place);
}

/** The same for a property of the object that a constant is. */
export function withProperty(source, constant, text, place = 'last') {
  const object = literalOf(source, constant, ts.isObjectLiteralExpression);
  return inserted(source, object, object.properties, text, place);
}

/** The source with one more part of a type that is an intersection (or one type alone), first. */
export function withTypePart(source, name, part) {
  const file = parse(source);
  const alias = file.statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name);
  if (!alias) throw new StepError(`there is no type ${name}`);
  const start = alias.type.getStart(file);
  const separator = alias.type.getText(file).includes('\n') ? ' &\n  ' : ' & ';
  return splice(source, start, 0, `${part}${separator}`);
}

/** The source with one more type that the parameter of a function must have, which a constant is. */
export function withListParameter(source, constant, type) {
  const [parameter] = functionOf(source, constant)?.parameters ?? [];
  if (!parameter?.type) throw new StepError(`there is no function ${constant} with a parameter`);
  const text = parameter.type.getText();
  if (text.split(' & ').includes(type)) return source;
  return splice(source, parameter.type.end, 0, ` & ${type}`);
}

/** The constant that is a function which answers this type, and the type of its parameter; null: there is none. */
export function nameOfList(source, type) {
  for (const declared of constantsOf(source)) {
    const made = functionOf(source, declared.name.text);
    if (made?.type?.getText() === type) return { name: declared.name.text, parameterType: made.parameters[0]?.type?.getText() ?? '' };
  }
  return null;
}

/** The members of an interface by name, with their text. An alias or an interface of another name has none. */
export function membersOf(source, name) {
  const declared = parse(source).statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
  return new Map((declared?.members ?? []).map((member) => [member.name.getText(), member.getText()]));
}

function functionOf(source, constant) {
  const { initializer } = constantsOf(source).find(({ name }) => name.text === constant) ?? {};
  return initializer && ts.isArrowFunction(initializer) ? initializer : undefined;
}

/** The constants of a file, those inside functions last. */
function constantsOf(source) {
  const found = [];
  const visit = (node, depth) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) found.push({ node, depth });
    ts.forEachChild(node, (child) => visit(child, depth + 1));
  };
  visit(parse(source), 0);
  return found.sort((a, b) => a.depth - b.depth).map(({ node }) => node);
}

/** The literal behind `as const`, `satisfies` and the arrow of a function. */
function literalOf(source, constant, is) {
  let node = constantsOf(source).find(({ name }) => name.text === constant)?.initializer;
  while (node && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))) node = node.expression;
  if (node && ts.isArrowFunction(node)) node = ts.isBlock(node.body) ? node.body.statements.findLast(ts.isReturnStatement)?.expression : node.body;
  if (!node || !is(node)) throw new StepError(`there is no list ${constant} that could be added to`);
  return node;
}

/** The source with one more node in a list between brackets: on one line while it fits, else each on its own. */
function inserted(source, parent, elements, text, place) {
  const at = place === 'last' ? elements.length : indexOf(elements, text, place);
  const [start, end] = [parent.getStart(), parent.end];
  if (source.slice(start, end).includes('\n')) return insertedLine(source, parent, elements, text, at);
  const texts = elements.map((element) => element.getText());
  texts.splice(at, 0, text);
  const [open, close] = [source[start], source[end - 1]];
  const space = open === '{' ? ' ' : '';
  const oneLine = `${open}${space}${texts.join(', ')}${space}${close}`;
  const [lineStart, lineEnd] = [source.lastIndexOf('\n', start) + 1, (source.indexOf('\n', end) + source.length + 1) % (source.length + 1)];
  const fits = lineEnd - lineStart - (end - start) + oneLine.length <= maxColumns && !text.includes('\n');
  const indent = /^\s*/.exec(source.slice(lineStart))[0];
  const lines = `${open}\n${texts.map((each) => `${indented(each, `${indent}  `)},\n`).join('')}${indent}${close}`;
  return splice(source, start, end - start, fits ? oneLine : lines);
}

function insertedLine(source, parent, elements, text, at) {
  const next = elements[at];
  if (next) return splice(source, next.getStart(), 0, `${text},\n${indentAt(source, next.getStart())}`);
  const last = elements.at(-1);
  const indent = last ? indentAt(source, last.getStart()) : `${indentAt(source, parent.getStart())}  `;
  if (!last) return splice(source, source.lastIndexOf('\n', parent.end) + 1, 0, `${indented(text, indent)},\n`);
  const comma = elements.hasTrailingComma ? '' : ',';
  const done = splice(source, last.end, 0, comma);
  // Behind the comma and a comment of the same line.
  return splice(done, lineAfter(done, last.end + 1), 0, `${indented(text, indent)},\n`);
}

/** Where a text belongs: by the names of imports (`type` does not count), or by the texts. */
function indexOf(elements, text, place) {
  const key = (each) => (place === 'by name' ? each.replace(/^type /, '').toLowerCase() : each);
  const found = elements.findIndex((element) => key(element.getText()) > key(text));
  return found < 0 ? elements.length : found;
}

const splice = (source, start, length, text) => source.slice(0, start) + text + source.slice(start + length);
const indented = (text, indent) => text.split('\n').map((line) => (line === '' ? '' : indent + line)).join('\n');
const indentAt = (source, position) => /^\s*/.exec(source.slice(source.lastIndexOf('\n', position - 1) + 1))[0];

/** The position behind the end of the line that holds a position. */
function lineAfter(source, position) {
  const end = source.indexOf('\n', position - 1);
  return end < 0 ? source.length : end + 1;
}
