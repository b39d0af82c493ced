import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generator, marked, ownGroups } from './gen/settings.mjs';

test('what a service alone declares stands under its name, what is shared does not stand twice', () => {
  const setting = (env) => [env, { env, type: 'string', description: 'D.' }];
  const services = [{ name: 'a', settings: new Map([setting('SHARED'), setting('OWN')]) }, { name: 'b', settings: new Map([setting('SHARED')]) }];
  const groups = ownGroups(services, [{ title: 'T', settings: { shared: { env: 'SHARED', type: 'string', description: 'D.' } } }]);
  assert.deepEqual(groups.map(({ title, settings }) => [title, Object.keys(settings)]), [['Only a', ['OWN']]]);
});

test('a setting that nothing reads says so', () => {
  const settings = { read: { env: 'READ', description: 'One.' }, unread: { env: 'UNREAD', description: 'Other.' } };
  const { settings: said } = marked({ title: 'T', settings }, new Set(['UNREAD']));
  assert.deepEqual(Object.values(said).map(({ description }) => description), ['One.', 'Other. Nothing reads it yet.']);
});

test('the document names the settings that only one service has, and every service that reads any', async () => {
  const text = (await generator.outputs()).get('docs/settings.md');
  for (const words of ['`SLUICE_RUNNER_MAX_IN_FLIGHT`', '`SLUICE_EVENT_INDEX`', '| config-api | ', '| flow-runner | ', '| ingest-api | ']) assert.ok(text.includes(words), words);
});
