import { join } from 'node:path';
import { silentLogger } from '@sluice/ports';
import { createMetrics, createMonotonicClock } from '@sluice/service-kit';
import { sourceWorker } from '@sluice/testkit';
import { scriptedWorker } from '@sluice/work-threads/test-support';
import { contactConfig } from '../test-support/contact-config';
import { type ConfigChecker, createConfigChecker } from './create-config-checker';
import { createConfigWork, type ConfigWorkOptions } from './create-config-work';

const pools: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});
function start(worker: ConfigWorkOptions['worker'] = sourceWorker(join(__dirname, 'config-jobs.worker.ts'))) {
  const metrics = createMetrics({ service: 'test' });
  const bounds = { threads: 1, timeLimitMs: 20_000, budgetMsPerMinute: null, monotonicNow: createMonotonicClock() };
  const work = createConfigWork({ ...bounds, logger: silentLogger, metrics, worker });
  pools.push(work);
  return work;
}
const source = (config: object) => ({ name: 'erp', type: 'rest', config });

test('checks a document, for a save and for a publish', async () => {
  const checker = createConfigChecker(start(), { privateTargets: 'refused', fileRoot: null, ownBucket: null });
  const config = { base_url: 'https://erp.example.com', credential_name: 'gone' };
  const text = JSON.stringify({ ...contactConfig, sources: [source(config)] });
  expect(await checker.check('o', { text, moment: 'save', credentials: null })).toEqual([]);
  const published = (name: string) =>
    checker.check('o', { text, moment: 'publish', credentials: [{ name, credentialType: 'login', allowedHosts: null }] });
  expect((await published('other')).map(({ type, loc }) => [type, ...loc])).toEqual(
    [['missing_credential', 'body', 'sources', 0, 'config', 'credential_name']],
  );
  expect(await published('gone')).toEqual([]);
});

test('private targets are refused or allowed by the installation\'s setting', async () => {
  const text = JSON.stringify({ ...contactConfig, sources: [source({ base_url: 'http://10.0.0.1' })] });
  const work = start();
  const typesWith = async (privateTargets: 'allowed' | 'refused') => {
    const checker = createConfigChecker(work, { privateTargets, fileRoot: null, ownBucket: null });
    return (await checker.check('o', { text, moment: 'save', credentials: null })).map(({ type }) => type);
  };
  expect([await typesWith('refused'), await typesWith('allowed')]).toEqual([['private_target'], []]);
});

test('file sources watch only below the folder of their organization, where the installation watches folders', async () => {
  const work = start();
  const [watching, none] = ['/srv/files', null].map((fileRoot) =>
    createConfigChecker(work, { privateTargets: 'refused', fileRoot, ownBucket: 'of-sluice' })) as [ConfigChecker, ConfigChecker];
  const typesOf = async (checker: ConfigChecker, location: string) => {
    const drop = { name: 'drop', type: 'file', config: { location } };
    const text = JSON.stringify({ ...contactConfig, sources: [drop] });
    return (await checker.check('o-1', { text, moment: 'save', credentials: null })).map(({ type }) => type);
  };
  for (const location of ['orders', '/srv/files/o-1/orders', 's3://exports/orders'])
    expect(await typesOf(watching, location)).toEqual([]);
  for (const location of ['../o-2/orders', '/srv/files/o-2/orders', '/etc', 's3://of-sluice/orders'])
    expect(await typesOf(watching, location)).toEqual(['location_invalid']);
  expect([await typesOf(none, 'orders'), await typesOf(none, 's3://exports/orders')]).toEqual([['location_invalid'], []]);
});

describe('small documents', () => {
  const text = JSON.stringify(contactConfig);
  const dryRun = { text, flow: 'f', event: { event_type: 'x', payload: {}, connectorId: 'c', storeId: null } };

  test('are compared and described without a thread; what runs expressions always takes one', async () => {
    const { run } = start(scriptedWorker('return name'));
    expect(await run('o', 'describe_draft', { text, active: null }, { bytes: text.length })).toMatchObject({ has_changes: true });
    expect(await run('o', 'compare_configs', { from: text, to: text }, { bytes: 2 * text.length })).toEqual([]);
    expect(await run('o', 'dry_run', dryRun, { bytes: text.length })).toBe('dry_run');
    expect(await run('o', 'describe_draft', { text, active: null }, { bytes: 100_000 })).toBe('describe_draft');
  });

  test('are described the same in a thread', async () => {
    const { run } = start();
    const both = [await run('o', 'describe_draft', { text, active: null }, { bytes: 1 }),
      await run('o', 'describe_draft', { text, active: null }, { bytes: 100_000 })];
    expect(both[1]).toEqual(both[0]);
  });
});
