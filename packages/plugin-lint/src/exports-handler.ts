import type { AnyNode, AssignmentExpression, MemberExpression, Node } from 'acorn';
import { simple } from 'acorn-walk';

/**
 * Whether a CommonJS module sets an export `handler`: by its name, in an object, or by a helper of a bundler that is given the
 * name. Whether a function is behind it, its evaluation shows.
 */
export function exportsHandler(program: Node): boolean {
  let [isSet, isNamed, hasComputedExports] = [false, false, false];
  simple(program, {
    AssignmentExpression: (node) => {
      if (setsHandler(node)) isSet = true;
      if (isModuleExports(node.left)) hasComputedExports ||= !['ObjectExpression', 'Literal'].includes(node.right.type);
    },
    CallExpression: ({ callee, arguments: [target, name] }) => {
      const isDefine = callee.type === 'MemberExpression' && nameOf(callee) === 'defineProperty';
      if (isDefine && target && isExports(target) && name?.type === 'Literal' && name.value === 'handler') isSet = true;
    },
    Property: (node) => {
      if (keyOf(node) === 'handler') isNamed = true;
    },
    Identifier: () => undefined,
  });
  return isSet || (isNamed && hasComputedExports);
}

function setsHandler({ left, right }: AssignmentExpression): boolean {
  if (left.type !== 'MemberExpression') return false;
  if (nameOf(left) === 'handler' && isExports(left.object)) return true;
  return isModuleExports(left) && right.type === 'ObjectExpression' && right.properties.some((property) =>
    property.type === 'SpreadElement' || keyOf(property) === 'handler');
}

const isExports = (node: AnyNode): boolean => (node.type === 'Identifier' && node.name === 'exports') || isModuleExports(node);

const isModuleExports = (node: AnyNode): boolean =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'module' && nameOf(node) === 'exports';

function nameOf({ property, computed }: MemberExpression): string | null {
  if (property.type === 'Identifier' && !computed) return property.name;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

function keyOf({ key, computed }: { key: AnyNode; computed: boolean }): string | null {
  if (key.type === 'Identifier') return computed ? null : key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null;
}
