import { createMemoryBlobStore } from '@sluice/ports/testing';
import { createExportFiles } from './create-export-files';

const connectorId = '11111111-1111-4111-8111-111111111111';
const lab = ({ unitKey = 'evt_1/0/first', away = false } = {}) => {
  const blobs = createMemoryBlobStore({ unavailable: () => away });
  return { blobs, files: createExportFiles({ blobs, waiting: (work) => work, maxBytes: 10 }, { connectorId, unitKey }) };
};
const file = (filename: string, stepId = 'export') => ({ filename, stepId, bytes: Buffer.from('a') });
const idOf = async (work: ReturnType<ReturnType<typeof createExportFiles>['keep']>): Promise<string> => {
  const kept = await work;
  if (!kept.ok) throw new Error(kept.message);
  return kept.value.file_id;
};

describe('exported files', () => {
  it('are stored below their connector: one key per step and run, the same for a repeat', async () => {
    const { blobs, files } = lab();
    const id = await idOf(files.keep(file('contacts.csv')));
    expect(id).toMatch(new RegExp(`^exports/${connectorId}/[0-9a-f]{32}/contacts.csv$`));
    expect(String(await blobs.get(id))).toBe('a');
    expect(await idOf(files.keep(file('contacts.csv')))).toBe(id);
    const others = [
      files.keep(file('contacts.csv', 'another')),
      lab({ unitKey: 'evt_1/0/replay' }).files.keep(file('contacts.csv')),
    ];
    for (const other of others) expect(await idOf(other)).not.toBe(id);
  });

  it.each([
    ['../../secrets', '__.._secrets'],
    ['Kunden März.csv', 'Kunden_M_rz.csv'],
    ['...', '_'],
    [`${'x'.repeat(300)}.csv`, `${'x'.repeat(196)}.csv`],
  ])('have a name that every store accepts: %s', async (filename, stored) => {
    expect((await idOf(lab().files.keep(file(filename)))).split('/').at(-1)).toBe(stored);
  });

  it('wait while the store is away', async () => {
    expect(await lab({ away: true }).files.keep(file('a'))).toMatchObject({ kind: 'transient', code: 'blob_unavailable' });
  });
});
