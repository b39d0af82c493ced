import type { Flow, Source } from '@sluice/contracts/config-document';
import fc from 'fast-check';
import { compileMatcher, isUnsupportedWildcard } from './matcher';

const flow = (name: string, event_type: string, more: Partial<Flow> = {}): Flow => ({
  name,
  source: 'shop',
  event_type,
  steps: [],
  ...more,
});
const sources = [
  { name: 'shop', type: 'event_api' as const },
  { name: 'hook', type: 'webhook' as const },
];
const named = (
  flows: Flow[],
  source: string,
  type: string,
  declared: { name: string; type: Source['type'] }[] = sources,
): string => {
  const match = compileMatcher({ flows, sources: declared })(source, type);
  return match.kind === 'none' ? 'none' : `${match.kind} ${match.flow.name}`;
};

describe('compileMatcher', () => {
  const flows = [
    flow('exact', 'order.paid.card'),
    flow('short', 'order.*'),
    flow('long', 'order.paid.*'),
    flow('off', 'order.paid.cash', { enabled: false }),
    flow('hooked', 'order.paid.card', { source: 'hook' }),
  ];

  it.each([
    ['shop', 'order.paid.card', 'flow exact'],
    ['shop', 'order.paid.invoice', 'flow long'],
    ['shop', 'order.paid.cash', 'disabled off'],
    ['shop', 'order.open', 'flow short'],
    ['shop', 'order.paid', 'flow short'],
    ['shop', 'order', 'none'],
    ['shop', 'order.', 'flow short'],
    ['shop', 'orders.open', 'none'],
    ['shop', 'Order.open', 'none'],
    ['hook', 'order.paid.card', 'flow hooked'],
    ['hook', 'order.open', 'none'],
    ['event_api', 'order.paid.card', 'flow exact'],
    ['nowhere', 'order.open', 'none'],
  ])('%s %s: %s', (source, type, expected) => {
    expect(named(flows, source, type)).toBe(expected);
  });

  it('accepts the literal event_api for every event API source, unless a source of another kind has that name', () => {
    const literal = [flow('literal', 'x', { source: 'event_api' })];
    expect(named(literal, 'shop', 'x')).toBe('flow literal');
    expect(named(literal, 'event_api', 'x', [])).toBe('flow literal');
    expect(named(literal, 'shop', 'x', [...sources, { name: 'event_api', type: 'webhook' }])).toBe('none');
  });

  it.each(['*', '.*', '*.created', 'a.*.b', 'a*', 'a..*', '.a.*', '*.*'])('never matches the unsupported shape %s', (shape) => {
    expect(isUnsupportedWildcard(shape)).toBe(true);
    expect(['a.x.b', 'a.b', shape, 'x.created', 'a..b'].map((type) => named([flow('f', shape)], 'shop', type))).toEqual(
      Array(5).fill('none'),
    );
  });

  it('agrees with the rule read literally', () => {
    const segment = fc.constantFrom('a', 'b', 'c');
    const type = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    const pattern = fc.tuple(type, fc.boolean()).map(([text, wild]) => (wild ? `${text}.*` : text));
    fc.assert(
      fc.property(
        fc.uniqueArray(pattern, { maxLength: 8 }),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        type,
        (patterns, enabled, concrete) => {
          const flows = patterns.map((event_type, index) => flow(event_type, event_type, { enabled: enabled[index]! }));
          const winner = literalWinner(flows, concrete);
          expect(named(flows, 'shop', concrete)).toBe(
            winner === null ? 'none' : `${winner.enabled ? 'flow' : 'disabled'} ${winner.name}`,
          );
        },
      ),
    );
  });
});

function literalWinner(flows: Flow[], concrete: string): Flow | null {
  const exact = flows.find((candidate) => candidate.event_type === concrete);
  if (exact) return exact;
  const wild = flows.filter(
    (candidate) => candidate.event_type.endsWith('.*') && concrete.startsWith(candidate.event_type.slice(0, -1)),
  );
  return wild.sort((a, b) => b.event_type.length - a.event_type.length)[0] ?? null;
}
