import { connectorScope, eventScope, flowScope, laneScope, parseScope, sameScope, type ScopeId, scopeText } from './scope-id';

const scopes: [ScopeId, string][] = [
  [eventScope({ eventId: 'evt_1', entityIndex: 2, run: 'first' }), 'event:evt_1/2/first'],
  [eventScope({ eventId: 'evt_1', entityIndex: 0, run: 'replay/a/b' }), 'event:evt_1/0/replay/a/b'],
  [flowScope('c:1', 'orders'), 'flow:c:1|orders'],
  [flowScope('c:a|b\nc', 'orders'), 'flow:c:a|b\nc|orders'],
  [laneScope('c:a|b'), 'lane:c:a|b'],
  [laneScope('flow:c|orders'), 'lane:flow:c|orders'],
  [connectorScope('c'), 'connector:c'],
];

describe('the scope of held events', () => {
  it.each(scopes)('%j is stored as %j and read back', (scope, text) => {
    expect(scopeText(scope)).toBe(text);
    expect(parseScope(text)).toEqual(scope);
  });

  it.each(['', 'lane', 'portal:1', 'flow:without-a-flow', 'event:evt_1', 'event:evt_1/x/first'])('%j is no scope', (text) => {
    expect(() => parseScope(text)).toThrow('not a held scope');
  });

  it('is the same scope only when kind and names are equal', () => {
    expect(sameScope(laneScope('a'), laneScope('a'))).toBe(true);
    expect(sameScope(laneScope('a'), laneScope('b'))).toBe(false);
    expect(sameScope(laneScope('a'), connectorScope('a'))).toBe(false);
    expect(sameScope(flowScope('a', 'f'), flowScope('a', 'g'))).toBe(false);
  });
});
