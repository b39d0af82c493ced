import { silentLogger, StoreUnavailable } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { prepareDatabase } from './prepare-database';

describe('prepareDatabase', () => {
  const failing = (...errors: Error[]) => {
    const calls: string[] = [];
    const migrate = (): Promise<void> => {
      const error = errors.shift();
      calls.push(error?.name ?? 'done');
      return error ? Promise.reject(error) : Promise.resolve();
    };
    return { migrate, calls };
  };
  const away = new StoreUnavailable('away');

  it('refuses to start without a database that is needed', async () => {
    const { migrate } = failing(away);
    await expect(prepareDatabase({ migrate, startWithout: false, logger: silentLogger }).start()).rejects.toBe(away);
  });

  it('starts without one that may be away, and goes on trying until it is there', async () => {
    const { migrate, calls } = failing(away, away);
    const database = prepareDatabase({ migrate, startWithout: true, logger: silentLogger, againMs: 1 });
    await database.start();
    await until('the schema', () => calls.includes('done'));
    await database.stop();
    expect(calls).toEqual(['StoreUnavailable', 'StoreUnavailable', 'done']);
  });

  it('refuses to start on a schema that cannot be migrated', async () => {
    const broken = new Error('migration 0001_run was changed');
    const { migrate } = failing(broken);
    await expect(prepareDatabase({ migrate, startWithout: true, logger: silentLogger }).start()).rejects.toBe(broken);
  });

  it('stops while it waits', async () => {
    const { migrate, calls } = failing(away, away, away);
    const database = prepareDatabase({ migrate, startWithout: true, logger: silentLogger });
    await database.start();
    await database.stop();
    expect(calls).toEqual(['StoreUnavailable']);
  });
});
