import type { RouteInput } from '@sluice/service-kit';
import { contactConfig } from '../../test-support/contact-config';
import type { PreviewDeps } from './deps';
import { getPreview } from './get-preview';
import { configJobs } from '../../work/config-jobs';

const inPlace = { run: async (_group: string, name: keyof typeof configJobs, input: never) => configJobs[name](input) };
const version = { config: contactConfig };
const connector = { id: 'c', binding: { portalId: 1, credentialId: 'k' }, settings: {} };
const store = {
  connectors: { get: async () => connector },
  plugins: { versionPlugins: async () => [] },
  drafts: { get: async () => version, version: async () => version },
};
const input = { params: { connector_id: 'c' }, principal: { organization: { id: 'o' } } };

beforeEach(() => { jest.useFakeTimers(); });
afterEach(() => { jest.useRealTimers(); });

test('what is said of the portal is no change: a draft that equals the active version has none', async () => {
  const openPortal = () => new Promise<never>(() => undefined);
  const deps = { authenticate: () => undefined, store, openPortal, configWork: inPlace };
  const { handler } = getPreview(deps as unknown as PreviewDeps);
  const answer = handler(input as unknown as RouteInput<unknown>);
  await jest.advanceTimersByTimeAsync(5_000);
  expect((await answer).body).toMatchObject({
    has_changes: false, changes: [], resolved_changes: [{ type: 'portal_not_checked', entity: null }],
  });
});
