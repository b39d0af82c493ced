const maxText = 1_000;
const maxNodes = 200;

/**
 * The `input` of a validation entry: the given value if it is small. Long texts are cut, large objects and lists are only named,
 * because each of a thousand problems would repeat them. What is secret is known by the contract (`secretFields`), not here.
 */
export function echoInput(input: unknown): unknown {
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
    const item = copy(value[name], budget);
    if (budget.nodes < 0 || budget.text < 0) break;
    Object.defineProperty(result, name, { value: item, enumerable: true });
  }
  return result;
}
