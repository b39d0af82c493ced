import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { eventually } from '@sluice/testkit';
import { call, operatorHeaders } from '../cluster';
import { type Arena, type Attack, keyOf, many, sessionOf, type Tally, times } from './attack';

/** Longest until a revoked key stops, whatever else is published meanwhile. Idle it is well below a second. */
const revokedMs = 15_000;

const empty = { version: '3.1', entities: [], flows: [], sources: [] };
const draftOf = ({ config, attacker }: Arena): string => `${config}/api/connectors/${attacker.connectorId}/draft`;
const flow = (index: number): object => ({
  name: `f${index}`,
  source: 'event_api',
  event_type: `e${index}`,
  steps: [{ id: 's', action: 'skip' }],
});

/** Saves one document as the draft, again and again. */
const saves = (name: string, answers: readonly number[], count: number, document: () => string): Attack => ({
  name,
  answers,
  run: async (arena, tally) => {
    const packed = gzipSync(document());
    await times(count, 6, () =>
      tally.ask(draftOf(arena), {
        method: 'PUT',
        body: packed,
        headers: { ...sessionOf(arena.attacker), 'content-encoding': 'gzip' },
      }),
    );
  },
});

const entity = (mappings: readonly object[]): object => ({
  ...empty,
  entities: [{ name: 'e', schemas: { crm: { object_type: 'contacts', field_mappings: mappings } } }],
});
const options = (count: number): object[] => many(count, (index) => ({ value: `v${index}` }));
const enumeration = (lists: number, count: number): object =>
  entity(
    many(lists, (index) => ({
      source: '$.payload.a',
      target: `p${index}`,
      crm_type: 'enumeration',
      crm_field_type: 'select',
      crm_options: options(count),
    })),
  );
const patterns = ['(a+)+$', '(.*a){40}', '((a{1,60}){1,60}){1,60}', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?=(a+))a*b\\1'];

/** A flow that sorts 9,000 values for each of 20 properties, over and over. */
async function dryRuns(arena: Arena, tally: Tally): Promise<void> {
  const mappings = many(20, (index) =>
    ({ source: '$.payload.list', target: `p${index}`, transform: ['sort', 'json_stringify'] }));
  const steps = [{ id: 's', action: 'upsert', target: 'crm', entity: 'e' }];
  const flows = [{ name: 'f', source: 'event_api', event_type: 'x', steps }];
  const document = { ...entity([{ source: '$.payload.email', target: 'email' }, ...mappings]), flows };
  const headers = sessionOf(arena.attacker);
  assert.equal((await tally.ask(draftOf(arena), { method: 'PUT', body: JSON.stringify(document), headers })).status, 200);
  const list = many(9_000, (index) => (index * 7_919) % 9_000);
  const body = JSON.stringify({ event_type: 'x', payload: { email: 'a@b.example', list } });
  await times(100, 16, () => tally.ask(`${draftOf(arena)}/flows/f/dry-run`, { method: 'POST', body, headers }));
}

/** A key of somebody else, revoked while an organization of large connectors is suspended: it stops in time. */
async function suspendLarge({ tenant, config, ingest }: Arena, tally: Tally): Promise<void> {
  const large = await tenant({ ...empty, flows: many(500, flow) }, { tier: 'trial' });
  const victim = await tenant(empty);
  for (let index = 0; index < 4; index += 1) {
    const connector = await call(config, 'POST', '/api/connectors', { name: `large ${index}` }, sessionOf(large));
    const ask = (method: string, path: string, body: object) =>
      tally.ask(`${config}/api/connectors/${connector.id}${path}`, {
        method,
        body: JSON.stringify(body),
        headers: sessionOf(large),
      });
    await ask('PUT', '/draft', { ...empty, flows: many(500, flow) });
    await ask('POST', '/publish', {});
  }
  const send = (): Promise<number> =>
    fetch(`${ingest}/api/v1/events`, {
      method: 'POST',
      body: '{"event":"x","data":{}}',
      headers: { 'content-type': 'application/json', ...keyOf(victim) },
    }).then(({ status }) => status);
  await eventually(async () => assert.equal(await send(), 202));
  const { items } = await call(config, 'GET', `/api/connectors/${victim.connectorId}/api-keys`, undefined, sessionOf(victim));
  await call(config, 'PATCH', `/operator/organizations/${large.organizationId}`, { state: 'suspended' }, operatorHeaders);
  await call(config, 'DELETE', `/api/connectors/${victim.connectorId}/api-keys/${items[0].id}`, undefined, sessionOf(victim));
  const begun = performance.now();
  await eventually(async () => assert.equal(await send(), 401), { timeoutMs: revokedMs, everyMs: 100 });
  tally.note(401, performance.now() - begun);
}

export const configPlaneAttacks: readonly Attack[] = [
  saves('drafts: 10,000 empty flows, 119 bytes packed', [422, 429, 503], 30, () =>
    JSON.stringify({ ...empty, flows: many(10_000, () => ({})) }),
  ),
  saves('drafts: 25,000 unknown keys', [422, 429, 503], 20, () =>
    JSON.stringify({ ...empty, ...Object.fromEntries(many(25_000, (index) => [`unknown_${index}`, 1])) }),
  ),
  saves(
    'drafts: 400,000 levels deep',
    [400, 413, 422, 429],
    30,
    () => `{"version":"3.1","entities":[],"flows":[],"sources":[],"settings":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`,
  ),
  saves('drafts: 13,000 flows', [413, 422, 429], 15, () =>
    JSON.stringify({
      ...empty,
      flows: many(13_000, (index) => ({ name: `f${index}`, source: 's', event_type: `e${index}`, steps: [] })),
    }),
  ),
  saves('drafts: an enumeration of 40,000 options', [413, 422, 429], 12, () => JSON.stringify(enumeration(1, 40_000))),
  saves('drafts: 20 enumerations of 2,500 options', [200, 422, 429], 4, () => JSON.stringify(enumeration(20, 2_500))),
  saves('drafts: 500 regular expressions', [200, 422, 429], 6, () =>
    JSON.stringify(
      entity(
        many(500, (index) => ({
          source: '$.payload.a',
          target: `p${index}`,
          transform: [{ name: 'match', args: { pattern: patterns[index % patterns.length] } }],
        })),
      ),
    ),
  ),
  saves('drafts: 500 time zones and schedules that are none', [200, 402, 422, 429], 12, () =>
    JSON.stringify({
      ...empty,
      sources: many(500, (index) => ({
        name: `s${index}`,
        type: 'scheduled',
        config: { schedule: `${'*/1,'.repeat(200)}* * * * *`, timezone: `Zone/${'x'.repeat(500)}`, payload: {} },
      })),
    }),
  ),
  { name: 'dry runs that sort 9,000 values 20 times', answers: [200, 429], run: dryRuns },
  {
    name: 'an organization of large connectors is suspended, a key is revoked behind it',
    answers: [200, 401, 422, 429],
    run: suspendLarge,
  },
  {
    name: 'connectors created and deleted without end',
    answers: [201, 204, 402, 429],
    run: ({ config, attacker }, tally) =>
      times(60, 4, async (index) => {
        const created = await tally.ask(`${config}/api/connectors`, {
          method: 'POST',
          body: JSON.stringify({ name: `c${index}` }),
          headers: sessionOf(attacker),
        });
        if (created.status === 201)
          await tally.ask(`${config}/api/connectors/${created.body.id}`, { method: 'DELETE', headers: sessionOf(attacker) });
      }),
  },
  {
    name: 'as many keys as one can get',
    answers: [201, 402, 429],
    run: async ({ config, attacker }, tally) => {
      await times(90, 3, () =>
        tally.ask(`${config}/api/connectors/${attacker.connectorId}/api-keys`, {
          method: 'POST',
          body: '{"label":"k"}',
          headers: sessionOf(attacker),
        }),
      );
      assert((tally.statuses.get(201) ?? 0) <= 50);
    },
  },
];
