import { isSecretName, redactedMark } from '../log/redact';

const maxText = 1_000;
const maxNodes = 200;

/**
 * The `input` of a validation entry: the given value if it is small. Long texts are cut, large objects and lists are only named
 * (each of a thousand problems would repeat them), values under secret-looking names do not go out.
 */
export function echoInput(input: unknown, loc: readonly (string | number)[]): unknown {
  const field = loc.findLast((part) => typeof part === 'string');
  if (typeof input === 'string' && typeof field === 'string' && isSecretName(field)) return redactedMark;
  const budget = { nodes: maxNodes, text: 4 * maxText };
  const copied = copy(input, budget);
  if (budget.nodes >= 0 && budget.text >= 0) return copied ?? null;
  return Array.isArray(input) ? `[list of ${input.length}]` : '[large object]';
}

function copy(value: unknown, budget: { nodes: number; text: number }): unknown {
  budget.nodes -= 1;
  if (budget.nodes < 0 || budget.text < 0) return undefined;
  if (typeof value === 'string') {
    const cut = value.length > maxText ? `${value.slice(0, maxText)}…` : value;
    budget.text -= cut.length;
    return cut;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.length > maxNodes) budget.nodes = -1;
    return value.slice(0, maxNodes).map((item) => copy(item, budget));
  }
  return copyObject(value as Record<string, unknown>, budget);
}

function copyObject(value: Record<string, unknown>, budget: { nodes: number; text: number }): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name in value) {
    budget.text -= name.length;
    const item = isSecretName(name) && typeof value[name] === 'string' ? redactedMark : copy(value[name], budget);
    if (budget.nodes < 0 || budget.text < 0) break;
    Object.defineProperty(result, name, { value: item, enumerable: true });
  }
  return result;
}
