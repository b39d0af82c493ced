import { configRoutes, type RouteContract } from '@sluice/contracts';
import { madeUpCursors } from '@sluice/ports/testing';
import { startLab } from './test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const isRoute = (value: unknown): value is RouteContract => typeof value === 'object' && value !== null && 'answers' in value;
const lists = Object.values(configRoutes as Record<string, unknown>)
  .filter(isRoute)
  .filter(({ query }) => 'cursor' in ((query as { properties?: object } | undefined)?.properties ?? {}))
  .map(({ name, path }) => [name, path] as const);

test('there are lists with cursors', () => expect(lists.length).toBeGreaterThan(3));

/** A path of something that is there, as far as a new organization has it. */
async function existing(path: string) {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const values: Record<string, string> = { connector_id: id, organization_id: owner.organizationId };
  return { owner, url: path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'nothing') };
}

test.each(lists)('refuses a cursor that it has not given: %s', async (_name, path) => {
  const { owner, url } = await existing(path);
  const { status } = await owner.get(url);
  // A list of something that a new organization does not have answers as unknown first.
  if (status === 404) return;
  expect(status).toBe(200);
  for (const cursor of madeUpCursors) {
    const { body } = await owner.get(`${url}?cursor=${encodeURIComponent(cursor)}`).expect(422);
    expect(body.detail).toEqual([{ type: 'value_error', loc: ['query', 'cursor'], msg: expect.any(String), input: cursor }]);
  }
});
