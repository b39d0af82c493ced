/**
 * Finds exports that nothing uses: no other file imports them and their own file does not use them either. Names that only tests
 * import count as unused, except in the folders for tests. What the tools read of the compiled packages counts as used. A package that
 * no other imports is left out: it is being built.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { readJson, root, workspacePackages } from './workspace.mjs';

const testFile = /\.test\.ts$|\/(testing|test-support|jest)\/|^packages\/testkit\/|^test-e2e\/|^bench\//;
const anyName = '*';

/** @returns {string[]} `<path>#<name>` of each, in order */
export function unusedExports() {
  const packages = workspacePackages();
  const paths = packages.flatMap(({ dir }) => sourcesBelow(join(dir, 'src')));
  const files = new Map(paths.map((path) => [path, readModule(path, readFileSync(path, 'utf8'))]));
  const toolNames = namesOfTools();
  const inUse = filesInUse(packages, files);
  const unused = findUnused(files, { resolve: resolver(packages, files), isTest: (path) => testFile.test(relative(root, path)), alsoUsed: toolNames });
  return unused.filter(({ path }) => inUse(path)).map(({ path, name }) => `${relative(root, path)}#${name}`).sort();
}

/** Whether a file belongs to a service, or to a package that another one imports: a package that nothing imports yet is being built. */
function filesInUse(packages, files) {
  const imported = new Set([...files].filter(([path]) => !testFile.test(relative(root, path))).flatMap(([, { imports }]) => imports.map(({ from }) => from)));
  const used = packages.filter(({ name, path }) => !path.startsWith('packages/') || [...imported].some((from) => from === name || from.startsWith(`${name}/`)));
  return (path) => used.some(({ dir }) => path.startsWith(join(dir, 'src')));
}

/**
 * @param {Map<string, ReturnType<typeof readModule>>} files by path
 * @param {{ resolve(from: string, specifier: string): string | undefined, isTest(path: string): boolean, alsoUsed: Set<string> }} world
 * @returns {{ path: string, name: string }[]}
 */
export function findUnused(files, { resolve, isTest, alsoUsed }) {
  const used = new Map([...files.keys()].map((path) => [path, new Set()]));
  const mark = (path, name) => {
    const names = used.get(path);
    if (!names || names.has(name)) return;
    names.add(name);
    for (const { from, imported, exported } of files.get(path).reexports) {
      const target = resolve(path, from);
      if (!target) continue;
      if (exported === anyName) mark(target, name);
      else if (exported === name || name === anyName) mark(target, imported);
    }
  };
  for (const [path, { imports }] of files) {
    for (const { from, name } of imports) {
      const target = resolve(path, from);
      // A test may use a package, and what is there for tests; that it tests a file of its own package is no use of that file.
      if (target && (!isTest(path) || isTest(target) || !from.startsWith('.'))) mark(target, name);
    }
  }
  return [...files].flatMap(([path, { declared }]) => {
    const names = used.get(path);
    if (names.has(anyName)) return [];
    return declared.filter(({ name, isPart, usedInside }) => !isPart && !usedInside && !names.has(name) && !alsoUsed.has(name)).map(({ name }) => ({ path, name }));
  });
}

/** What a module exports and imports. */
export function readModule(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const counts = new Map();
  const [declared, imports, reexports] = [[], [], []];
  const visit = (node) => {
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    if (ts.isCallExpression(node) && isLoading(node, file)) imports.push({ from: node.arguments[0].text, name: anyName });
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) imports.push({ from: node.argument.literal.text, name: anyName });
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) imports.push(...namesOfImport(statement));
    else if (ts.isExportDeclaration(statement)) collectExports(statement, { declared, reexports });
    else if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      for (const name of namesOfDeclaration(statement)) declared.push({ name: name.text });
  }
  return { imports, reexports, declared: declared.map((each) => ({ ...each, usedInside: !each.reexported && (counts.get(each.name) ?? 0) > 1 })) };
}

/** `import()`, `require()` and the functions of jest that name a module. */
function isLoading({ expression, arguments: given }, file) {
  if (given.length === 0 || !ts.isStringLiteralLike(given[0])) return false;
  return expression.kind === ts.SyntaxKind.ImportKeyword || /^(require|require\.resolve|jest\.\w+)$/.test(expression.getText(file));
}

function namesOfImport({ moduleSpecifier: { text: from }, importClause }) {
  const bindings = importClause?.namedBindings;
  if (!bindings) return [{ from, name: anyName }];
  if (ts.isNamespaceImport(bindings)) return [{ from, name: anyName }];
  return bindings.elements.map(({ name, propertyName }) => ({ from, name: (propertyName ?? name).text }));
}

function collectExports({ moduleSpecifier, exportClause, isTypeOnly }, { declared, reexports }) {
  const from = moduleSpecifier?.text;
  if (!exportClause || ts.isNamespaceExport(exportClause)) return reexports.push({ from, imported: anyName, exported: exportClause ? exportClause.name.text : anyName });
  for (const element of exportClause.elements) {
    const name = element.name.text;
    // A type that is passed on belongs to what a function takes or answers.
    declared.push({ name, reexported: true, isPart: isTypeOnly || element.isTypeOnly });
    if (from) reexports.push({ from, imported: (element.propertyName ?? element.name).text, exported: name });
  }
}

function namesOfDeclaration(statement) {
  if (!ts.isVariableStatement(statement)) return statement.name ? [statement.name] : [];
  const namesOf = (name) => (ts.isIdentifier(name) ? [name] : name.elements.filter(ts.isBindingElement).flatMap((element) => namesOf(element.name)));
  return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name));
}

/** From a specifier to the file of the workspace that it means. */
function resolver(packages, files) {
  const entries = new Map(packages.flatMap(({ name, dir }) =>
    Object.entries(readJson(join(dir, 'package.json')).exports ?? {}).map(([key, target]) => [join(name, key), join(dir, target['sluice-source'] ?? '')])));
  return (from, specifier) => {
    if (!specifier.startsWith('.')) return entries.get(specifier);
    const path = join(dirname(from), specifier);
    return [`${path}.ts`, join(path, 'index.ts'), path].find((candidate) => files.has(candidate));
  };
}

function sourcesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).filter((file) => /(?<!\.d)\.ts$/.test(file) && !/generated\//.test(file)).map((file) => join(folder, file));
}

/** Every word of the tools: they read the compiled packages by name. */
function namesOfTools() {
  const scripts = readdirSync(join(root, 'tools'), { recursive: true }).filter((file) => file.endsWith('.mjs') && !/mutants\/list|gen\/conformance\//.test(file));
  return new Set(scripts.flatMap((file) => readFileSync(join(root, 'tools', file), 'utf8').match(/\b[A-Za-z]\w+\b/g)));
}
