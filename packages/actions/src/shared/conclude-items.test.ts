import type { StepFailure, StepItem } from '@sluice/flow-engine';
import { concludeItems } from './conclude-items';

const limited: StepFailure = { kind: 'transient', code: 'crm_rate_limited', message: 'limited', retryAfterMs: 500 };
const dry: StepFailure = { kind: 'transient', code: 'portal_dry', message: 'no calls left', retryAfterMs: 9_000 };
const early: StepFailure = { kind: 'transient', code: 'related_record_not_synced', message: 'later', stepsAside: true };
const forbidden: StepFailure = { kind: 'fatal', code: 'crm_forbidden', message: 'no scope' };
const lost: StepFailure = { kind: 'transient', code: 'lease_lost', message: 'lost' };

const openItem = (failure: StepFailure, index: number): StepItem => ({
  index, key: `c${index}`, entity: 'contact', external_id: `c${index}`, crm_id: null, status: 'open', reason: null, failure,
});

describe('the failure that decides about the next attempt of a bulk step', () => {
  test.each([
    ['one that uses up an attempt, before one that does not', [dry, limited], 'crm_rate_limited'],
    ['one of all events, before one that lets others pass', [early, dry], 'portal_dry'],
    ['a fatal one, before a transient one', [limited, forbidden], 'crm_forbidden'],
    ['a lost lease, before all others', [forbidden, lost], 'lease_lost'],
  ])('is %s, in any order', (_, failures, code) => {
    for (const each of [failures, failures.toReversed()]) {
      expect(concludeItems(each.map(openItem), {})).toMatchObject({ failure: { code } });
    }
  });

  it('waits as long as the longest of the waits that stop a lane', () => {
    const outcome = concludeItems([limited, early, dry].map(openItem), {});
    expect(outcome).toMatchObject({ failure: { ...limited, retryAfterMs: 9_000 } });
  });
});
