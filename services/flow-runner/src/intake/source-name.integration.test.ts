import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { bulkConfig, bulkPeople } from '../test-support/bulk-config';
import { order, runnerLab, type RunnerLab, shopConfig } from '../test-support/runner-lab';

const sources: ConfigDocument['sources'] = [{ name: 'web shop', type: 'event_api' }];
const [orders] = shopConfig.flows;

describe('records name the source of the config that their event came from', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const rowsOf = async (config: ConfigDocument, events: Parameters<RunnerLab['send']>[0]) => {
    lab = await runnerLab(config);
    await lab.addRunner();
    await lab.send(events);
    await until('all events have ended', () => new Set(lab.rows().map(({ unit }) => unit.eventId)).size === events.length);
    return lab.rows().map(({ unit, status, sourceName }) => [unit.eventId, status, sourceName]);
  };

  it('not its type, whatever became of the event', async () => {
    const off = { ...orders!, name: 'off', event_type: 'basket.placed', enabled: false };
    const config = { ...shopConfig, sources, flows: [orders!, off] };
    const rows = await rowsOf(config, [
      order('evt_1', 'N1', 'a'),
      { id: 'evt_2', type: 'order.placed', payload: { number: null } },
      { id: 'evt_3', type: 'nobody.cares', payload: {} },
      { id: 'evt_4', type: 'basket.placed', payload: {} },
    ]);
    expect(rows.sort()).toEqual([
      ['evt_1', 'completed', 'web shop'],
      ['evt_2', 'failed', 'web shop'],
      ['evt_3', 'skipped', 'web shop'],
      ['evt_4', 'skipped', 'web shop'],
    ]);
  });

  it('also each item of a list', async () => {
    const people = bulkPeople(2);
    const rows = await rowsOf({ ...bulkConfig, sources }, [{ id: 'evt_1', type: 'people', payload: { people } }]);
    expect(rows.map(([, status, source]) => [status, source])).toEqual(people.map(() => ['completed', 'web shop']));
  });
});
