import fc from 'fast-check';
import { describedStatus, type KnownHook, planHook } from './plugin-states';

const setup = (cycle: number, status: KnownHook['status']): KnownHook => ({ hookType: 'setup', cycle, status });
const teardown = (cycle: number, status: KnownHook['status']): KnownHook => ({ hookType: 'teardown', cycle, status });

describe('a request for a hook', () => {
  it.each<[string, Parameters<typeof planHook>, ReturnType<typeof planHook>]>([
    ['the first setup opens cycle 1', ['setup', []], { kind: 'new', cycle: 1 }],
    ['a pending setup is not asked for twice', ['setup', [setup(1, 'pending')]], { kind: 'known', cycle: 1 }],
    ['nor one that succeeded', ['setup', [setup(1, 'success')]], { kind: 'known', cycle: 1 }],
    ['a failed one is queued again', ['setup', [setup(1, 'failed')]], { kind: 'again', cycle: 1 }],
    ['a teardown without a setup', ['teardown', []], { kind: 'no_setup' }],
    ['a teardown has the cycle of its setup', ['teardown', [setup(1, 'success')]], { kind: 'new', cycle: 1 }],
    ['also where the setup failed', ['teardown', [setup(1, 'failed')]], { kind: 'new', cycle: 1 }],
    ['a teardown that succeeded stays', ['teardown', [setup(1, 'success'), teardown(1, 'success')]], { kind: 'known', cycle: 1 }],
    [
      'a setup after it opens the next cycle',
      ['setup', [setup(1, 'success'), teardown(1, 'success')]], { kind: 'new', cycle: 2 },
    ],
    ['a failed teardown opens none', ['setup', [setup(1, 'success'), teardown(1, 'failed')]], { kind: 'known', cycle: 1 }],
    [
      'the newest cycle counts',
      ['teardown', [teardown(1, 'success'), setup(2, 'success'), setup(1, 'success')]], { kind: 'new', cycle: 2 },
    ],
  ])('%s', (_, given, plan) => expect(planHook(...given)).toEqual(plan));

  it('never leaves out a cycle, nor opens one while the last is not torn down', () => {
    const requests = fc.array(fc.record({
      type: fc.constantFrom('setup' as const, 'teardown' as const), ends: fc.constantFrom('success' as const, 'failed' as const),
    }), { maxLength: 30 });
    fc.assert(fc.property(requests, (asked) => {
      const hooks: KnownHook[] = [];
      for (const { type, ends } of asked) {
        const plan = planHook(type, hooks);
        if (plan.kind === 'no_setup' || plan.kind === 'known') continue;
        const before = hooks.find((hook) => hook.hookType === type && hook.cycle === plan.cycle);
        if (before) before.status = ends;
        else hooks.push({ hookType: type, cycle: plan.cycle, status: ends });
      }
      const setups = hooks.filter(({ hookType }) => hookType === 'setup').map(({ cycle }) => cycle);
      expect(setups).toEqual(setups.map((_cycle, index) => index + 1));
      for (const cycle of setups.slice(0, -1))
        expect(hooks).toContainEqual(teardown(cycle, 'success'));
    }));
  });
});

it('the status that versions describe', () => {
  expect(describedStatus({ liveVersion: 3, stagingVersion: null, hasFunction: true })).toBe('live');
  expect(describedStatus({ liveVersion: null, stagingVersion: 2, hasFunction: true })).toBe('staging');
  expect(describedStatus({ liveVersion: null, stagingVersion: null, hasFunction: true })).toBe('dev');
  expect(describedStatus({ liveVersion: null, stagingVersion: null, hasFunction: false })).toBe('draft');
});
