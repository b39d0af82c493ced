import type { AnyNode, Function as FunctionNode, Pattern, Program, Statement, VariableDeclaration } from 'acorn';

/**
 * Which names a node that opens a scope declares: the parameters and variables of a function, what a block, a loop or a `catch`
 * declares, a class's own name. Each node is read once.
 */
export class Scopes {
  private readonly known = new Map<AnyNode, ReadonlySet<string>>();

  /** Whether a name is declared nowhere around a node. @param ancestors from the outermost, the node itself last */
  isGlobal(name: string, ancestors: readonly AnyNode[]): boolean {
    return !ancestors.some((node) => this.declaredIn(node).has(name));
  }

  private declaredIn(node: AnyNode): ReadonlySet<string> {
    let names = this.known.get(node);
    if (!names) this.known.set(node, (names = new Set(declaredNames(node))));
    return names;
  }
}

function declaredNames(node: AnyNode): string[] {
  switch (node.type) {
    case 'Program':
      return [...blockNames(node.body as Statement[]), ...hoisted(node)];
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return functionNames(node);
    case 'BlockStatement':
    case 'StaticBlock':
      return blockNames(node.body);
    case 'ForStatement':
      return node.init?.type === 'VariableDeclaration' ? variableNames(node.init) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? variableNames(node.left) : [];
    case 'CatchClause':
      return node.param ? patternNames(node.param) : [];
    case 'ClassExpression':
      return node.id ? [node.id.name] : [];
    default:
      return [];
  }
}

function functionNames(node: FunctionNode): string[] {
  const own = node.id ? [node.id.name] : [];
  return [...own, ...node.params.flatMap(patternNames), ...hoisted(node.body)];
}

const blockNames = (body: readonly Statement[]): string[] => body.flatMap((statement) => {
  if (statement.type === 'VariableDeclaration') return variableNames(statement);
  const isNamed = statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration';
  return isNamed && statement.id ? [statement.id.name] : [];
});

const variableNames = ({ declarations }: VariableDeclaration): string[] => declarations.flatMap(({ id }) => patternNames(id));

function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'RestElement' ? property.argument : property.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    default:
      return [];
  }
}

/** Names of `var` below a node, which belong to the function around it, not to the block they stand in. */
function hoisted(root: AnyNode | Program): string[] {
  const names: string[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...node as unknown[]);
    if (!isNode(node)) continue;
    if (node.type === 'VariableDeclaration' && node.kind === 'var') names.push(...variableNames(node));
    if (node === root || !opensFunction(node)) open.push(...Object.values(node).filter((value) => typeof value === 'object'));
  }
  return names;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const opensFunction = ({ type }: AnyNode): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'ClassBody';
