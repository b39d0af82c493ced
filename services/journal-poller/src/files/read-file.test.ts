import { Readable } from 'node:stream';
import type { ConnectorChange, Source } from '@sluice/contracts';
import { runContext } from '@sluice/background/test-support';
import type { BlobStore, SourceFile, SourceFileProgress, SourceFileStore, SourceReading } from '@sluice/ports';
import { partialPort } from '@sluice/ports/testing';
import { readFile } from './read-file';

const added: SourceFile = {
  id: 'file', connectorId: 'c', sourceName: 'list', filename: 'a.csv', bytes: 1, blobKey: 'key', status: 'received',
  rowsTotal: 0, rowsQueued: 0, rowsDiscarded: 0, error: null, receivedAt: new Date(0), completedAt: null,
};
const list = (eventTypePath: string): Source =>
  ({ name: 'list', type: 'file', config: { event_type_path: eventTypePath, external_id_path: '$.id' } });

/** A file of so many rows. Only the later half has a value in the second column. */
function lab(count: number, file: Partial<SourceFile> = {}) {
  const lines = Array.from({ length: count }, (_, at) => `${at},a,${at < count / 2 ? '' : 'b'}`);
  const state = { file: { ...added, ...file }, source: list('$.first'), takes: Infinity };
  const queued: string[] = [];
  const keep = ({ rowsDiscarded, rowsQueued, rowsTotal }: SourceFileProgress): void =>
    void Object.assign(state.file, { rowsDiscarded, rowsQueued, rowsTotal });
  const run = () => readFile({
    files: partialPort<SourceFileStore>('files', {
      find: async () => ({ ...state.file }),
      progress: async (_fence, _id, progress) => keep(progress),
      end: async (_fence, _id, progress) => {
        keep(progress);
        state.file.completedAt = new Date();
      },
    }),
    store: { find: async () => ({ type: 'file', enabled: true }) as SourceReading, note: async () => undefined },
    blobs: partialPort<BlobStore>('blobs', {
      getStream: async () => Readable.from([Buffer.from(`id,first,second\n${lines.join('\n')}\n`)]),
      delete: async () => undefined,
    }),
    reader: { versionSources: async () => ({ sources: [state.source], ingressProfile: null }) },
    directory: {
      ensure: async () => ({ connector_id: 'c', active_version: 1, status: 'active', organization: { state: 'active' } }) as
        ConnectorChange,
    },
    take: async ({ events }) => {
      if ((state.takes -= 1) < 0) throw new Error('the process ends');
      queued.push(...events.map(({ externalId }) => externalId!));
    },
  }, runContext({ key: 'file' }));
  return { state, queued, run };
}
const ids = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => String(from + at));

test('a row that the next version takes for an event is queued, whatever the version before made of earlier rows', async () => {
  const { state, queued, run } = lab(12_000);
  state.takes = 28;
  await expect(run()).rejects.toThrow('the process ends');
  expect(state.file).toMatchObject({ rowsTotal: 5_000, rowsQueued: 5_000, rowsDiscarded: 0, completedAt: null });
  [state.takes, state.source] = [Infinity, list('$.second')];
  queued.splice(0);
  await run();
  expect(queued).toEqual(ids(6_000, 12_000));
  expect(state.file).toMatchObject({ rowsTotal: 12_000, rowsQueued: 11_000, rowsDiscarded: 1_000 });
  expect(state.file.completedAt).not.toBeNull();
});

test('rows that were discarded before are not events of the next version, and count once', async () => {
  const { state, queued, run } = lab(12_000);
  [state.takes, state.source] = [5, list('$.second')];
  await expect(run()).rejects.toThrow('the process ends');
  expect(state.file).toMatchObject({ rowsTotal: 5_000, rowsQueued: 0, rowsDiscarded: 5_000 });
  [state.takes, state.source] = [Infinity, list('$.first')];
  queued.splice(0);
  await run();
  expect(queued).toEqual(ids(5_000, 12_000));
  expect(state.file).toMatchObject({ rowsTotal: 12_000, rowsQueued: 7_000, rowsDiscarded: 5_000 });
});

test('progress that was stored while rows waited for their batch begins again', async () => {
  const { state, queued, run } = lab(10, { rowsTotal: 5, rowsQueued: 2, rowsDiscarded: 1 });
  await run();
  expect(queued).toEqual(ids(0, 10));
  expect(state.file).toMatchObject({ rowsTotal: 10, rowsQueued: 10, rowsDiscarded: 0 });
});

test('progress is stored with no row in a batch', async () => {
  const { state, queued, run } = lab(9_900);
  [state.takes, state.source] = [1, list('$.second')];
  await expect(run()).rejects.toThrow('the process ends');
  expect(queued).toEqual(ids(4_950, 5_000));
  expect(state.file).toMatchObject({ rowsTotal: 5_000, rowsQueued: 50, rowsDiscarded: 4_950 });
});
