import { allActions } from '@sluice/actions';
import { localFunctionSettings } from '@sluice/service-kit';
import { runnerSettings } from './settings';

/** What a number of a limit is in the unit of its setting: MiB of bytes, seconds of milliseconds. */
const inSettings: Record<string, number> = { bytes: 1_048_576, ms: 1_000 };

const limits = allActions().flatMap((action) =>
  action.limits.flatMap((limit) =>
    limit.on === 'port' && limit.setting !== undefined
      ? [{ limit, setting: limit.setting, label: `${action.name}: ${limit.id}` }]
      : [],
  ),
);

describe('the limits of actions that an operator sets', () => {
  it.each(limits)('$label has the default that the action declares', ({ limit, setting }) => {
    const declared = Object.values(runnerSettings).find(({ env }) => env === setting);
    expect(declared?.default).toBe(String(limit.max / inSettings[limit.unit]!));
  });

  it('are those of files', () => expect(limits.map(({ label }) => label)).toEqual(expect.arrayContaining(['upload_file: size'])));
});

describe('the queue of functions', () => {
  it('has room for all events that a runner has under way: a burst of them is not held', () => {
    const { maxInFlight } = runnerSettings;
    expect(Number(localFunctionSettings.functionQueue.default)).toBeGreaterThanOrEqual(Number(maxInFlight.default));
  });
});
