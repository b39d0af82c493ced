import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
/** The simulator's clock. */
let now = Date.UTC(2026, 0, 1);
beforeAll(async () => {
  run = await startForTest({ now: () => now });
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const upload = (text: string, name: string, options: object = {}, folder = '/invoices') =>
  run.client.files.filesApi.upload(
    { data: Buffer.from(text), name },
    undefined,
    folder,
    name,
    undefined,
    JSON.stringify({ access: 'PRIVATE', ...options }),
  );

describe('the official client against files', () => {
  it('uploads, reads and removes a file', async () => {
    const file = await upload('x', 'a.txt');
    expect(file).toMatchObject({
      name: 'a',
      extension: 'txt',
      path: '/invoices/a.txt',
      size: 1,
      type: 'DOCUMENT',
      access: 'PRIVATE',
    });
    expect((await run.client.files.filesApi.getById(file.id)).path).toBe('/invoices/a.txt');
    await run.client.files.filesApi.archive(file.id);
    expect((await rejection(run.client.files.filesApi.getById(file.id))).code).toBe(404);
  });

  it('numbers a second file of a name, replaces it with overwrite, finds a content again where that is asked', async () => {
    const first = await upload('x', 'a.txt');
    expect((await upload('y', 'a.txt')).name).toBe('a-1');
    const again = await upload('x', 'b.txt', {
      duplicateValidationStrategy: 'RETURN_EXISTING',
      duplicateValidationScope: 'EXACT_FOLDER',
    });
    expect(again).toMatchObject({ id: first.id, name: 'a' });
    const elsewhere = { duplicateValidationStrategy: 'RETURN_EXISTING', duplicateValidationScope: 'EXACT_FOLDER' };
    expect((await upload('x', 'b.txt', elsewhere, '/others')).id).not.toBe(first.id);
    expect((await rejection(upload('x', 'c.txt', { duplicateValidationStrategy: 'REJECT' }))).code).toBe(409);
    expect(await upload('z', 'a.txt', { overwrite: true })).toMatchObject({ id: first.id, name: 'a' });
    expect((await run.call('GET', '/files/v3/files/stat/invoices/a.txt')).body.file).toMatchObject({ id: first.id });
    expect((await run.call('GET', '/files/v3/files/stat/invoices/none.txt')).status).toBe(404);
  });

  it.each([
    ['options.access', () => upload('x', 'a.txt', { access: 'EVERYBODY' })],
    ['options.ttl', () => upload('x', 'a.txt', { ttl: 'P3Y' })],
    [
      'folderId and folderPath',
      () =>
        run.client.files.filesApi.upload(
          { data: Buffer.from('x'), name: 'a' },
          undefined,
          undefined,
          'a',
          undefined,
          '{"access":"PRIVATE"}',
        ),
    ],
  ])('refuses an upload without a right %s', async (words, send) => {
    const refused = await rejection(send());
    expect([refused.code, refused.body.message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('reads a private file at its signed address only, and only until it expires', async () => {
    const file = await upload('x', 'a b.txt');
    const { url, expiresAt } = await run.client.files.filesApi.getSignedUrl(file.id, undefined, 60);
    const signed = await fetch(url);
    expect([signed.status, signed.headers.get('content-type'), await signed.text()]).toEqual([200, 'text/plain', 'x']);
    expect(Math.abs(expiresAt.getTime() - now - 60_000)).toBeLessThanOrEqual(1_000);
    const later = url.replace(/Expires=\d+/, 'Expires=9999999999');
    const refused = [file.url!, later, url.replace(/.$/, '-'), url.replace('a%20b', 'none')];
    expect(await Promise.all(refused.map(async (one) => (await fetch(one)).status))).toEqual([403, 403, 403, 404]);
    now += 61_000;
    expect((await fetch(url)).status).toBe(403);
    const open = await upload('open', 'c.bin', { access: 'PUBLIC_INDEXABLE' });
    expect(Buffer.from(await (await fetch(open.url!)).arrayBuffer()).toString()).toBe('open');
  });

  it('replaces the bytes of a file under its id, name and address', async () => {
    const { filesApi } = run.client.files;
    const file = await upload('x', 'a.txt', { access: 'PUBLIC_INDEXABLE' });
    const replaced = await filesApi.replace(file.id, { data: Buffer.from('longer'), name: 'other.pdf' });
    expect(replaced).toMatchObject({ id: file.id, name: 'a', extension: 'txt', size: 6, url: file.url, access: file.access });
    expect(replaced.fileMd5).not.toBe(file.fileMd5);
    expect(await (await fetch(file.url!)).text()).toBe('longer');
    const hidden = await filesApi.replace(file.id, { data: Buffer.from('x'), name: 'x' }, undefined, '{"access":"PRIVATE"}');
    expect([hidden.access, (await fetch(file.url!)).status]).toEqual(['PRIVATE', 403]);
    expect((await rejection(filesApi.replace('1', { data: Buffer.from('x'), name: 'x' }))).code).toBe(404);
  });

  it('searches files, sorted and in pages', async () => {
    const search = async (query: string) => {
      const { results, paging } = (await run.call('GET', `/files/v3/files/search?${query}`)).body;
      return [results.map((file: { path: string }) => file.path), paging?.next.after];
    };
    await upload('xxx', 'march.pdf');
    await upload('x', 'april.pdf', { access: 'PUBLIC_INDEXABLE' });
    const other = await upload('xx', 'notes.txt', {}, '/other');
    const all = ['/other/notes.txt', '/invoices/march.pdf', '/invoices/april.pdf'];
    expect(await search('sort=-name')).toEqual([all, undefined]);
    expect(await search('sort=size&limit=2')).toEqual([['/invoices/april.pdf', '/other/notes.txt'], '2']);
    expect(await search('sort=size&limit=2&after=2')).toEqual([['/invoices/march.pdf'], undefined]);
    const only = [
      'name=NOTE', 'extension=txt', 'path=other', 'size=2', 'sizeGte=2&sizeLte=2',
      `ids=${other.id}`, `idGte=${other.id}`, `parentFolderIds=${other.parentFolderId}`, `fileMd5=${other.fileMd5}`,
    ];
    for (const query of only)
      expect([query, await search(query)]).toEqual([query, [['/other/notes.txt'], undefined]]);
    expect(await search('allowsAnonymousAccess=true')).toEqual([['/invoices/april.pdf'], undefined]);
    expect(await search(`createdAtGte=${new Date(now + 1_000).toISOString()}`)).toEqual([[], undefined]);
    expect((await run.call('GET', '/files/v3/files/search?sort=colour')).status).toBe(400);
    const found = await run.client.files.filesApi.doSearch(undefined, undefined, undefined, 1, ['name']);
    expect([found.results.map(({ name }) => name), found.paging?.next?.after]).toEqual([['april'], '1']);
  });

  it('imports a file from an address', async () => {
    const { filesApi } = run.client.files;
    const source = await upload('imported', 'a.txt', { access: 'PUBLIC_INDEXABLE' });
    const imported = async (input: object) => {
      const { id, links } = await filesApi.importFromUrl({ access: 'PRIVATE', folderPath: '/in', ...input } as never);
      expect(links?.['status']).toBe(`${run.url}/files/v3/files/import-from-url/async/tasks/${id}/status`);
      for (let asked = 0; asked < 1_000; asked++) {
        const task = await filesApi.checkImport(id);
        if (task.status !== 'PROCESSING') return task;
      }
      throw new Error('the import does not end');
    };
    const task = await imported({ url: source.url! });
    expect(task).toMatchObject({ status: 'COMPLETE', result: { path: '/in/a.txt', size: 8, fileMd5: source.fileMd5 } });
    expect(task.numErrors).toBeUndefined();
    expect((await filesApi.getById(task.result.id)).path).toBe('/in/a.txt');
    expect((await imported({ url: source.url!, name: 'b.md' })).result.path).toBe('/in/b.md');
    const failed = await imported({ url: `${run.url}/hubfs/1000001/none.txt` });
    expect([failed.status, failed.numErrors, failed.errors?.[0]?.message]).toEqual(['COMPLETE', 1, 'The address answered 404']);
    const url = source.url!;
    for (const input of [{ url: 'ftp://x.example/a' }, { url, access: 'EVERYBODY' }, { url, folderPath: undefined }])
      expect((await rejection(imported(input))).code).toBe(400);
    expect((await rejection(filesApi.checkImport('none'))).code).toBe(404);
  });

  it('finds, renames and removes folders with what is in them', async () => {
    const { foldersApi, filesApi } = run.client.files;
    const file = await upload('x', 'a.txt', {}, '/docs/2026');
    const year = await foldersApi.getById(file.parentFolderId!);
    const docs = await foldersApi.getByPath('/docs');
    expect([year.path, year.parentFolderId, docs.name]).toEqual(['/docs/2026', docs.id, 'docs']);
    expect((await filesApi.getMetadata('/docs/2026')).folder?.id).toBe(year.id);
    expect((await filesApi.getMetadata('/docs/2026/a.txt')).file.id).toBe(file.id);
    expect((await run.call('GET', '/files/v3/folders/search?name=2026')).body.results).toMatchObject([{ id: year.id }]);
    expect((await foldersApi.doSearch()).results.map(({ id }) => id)).toEqual(expect.arrayContaining([docs.id, year.id]));
    expect((await foldersApi.updateProperties(docs.id, { name: 'papers' })).path).toBe('/papers');
    const { id } = await foldersApi.updatePropertiesRecursively({ id: year.id, name: 'old' });
    expect(await foldersApi.checkUpdateStatus(id)).toMatchObject({ status: 'COMPLETE', result: { path: '/papers/old' } });
    expect((await filesApi.getById(file.id)).path).toBe('/papers/old/a.txt');
    expect((await rejection(foldersApi.updateProperties(docs.id, { parentFolderId: Number(year.id) }))).code).toBe(400);
    await foldersApi.archiveByPath('/papers/old');
    expect((await rejection(filesApi.getById(file.id))).code).toBe(404);
    await foldersApi.archive(docs.id);
    expect((await rejection(foldersApi.getById(docs.id))).code).toBe(404);
  });

  it('changes access, folder and end of life; a file whose life has ended is gone', async () => {
    const { filesApi } = run.client.files;
    const file = await upload('x', 'a.txt', { ttl: 'P1D' });
    const changes = { parentFolderPath: '/moved', access: 'PUBLIC_INDEXABLE' as never, name: 'b' };
    expect(await filesApi.updateProperties(file.id, changes))
      .toMatchObject({ path: '/moved/b.txt', access: 'PUBLIC_INDEXABLE', expiresAt: now + 86_400_000 });
    expect((await rejection(filesApi.updateProperties(file.id, { access: 'EVERYBODY' as never }))).code).toBe(400);
    const kept = await upload('y', 'c.txt', { ttl: 'P1D' });
    expect((await filesApi.updateProperties(kept.id, { clearExpires: true })).expiresAt).toBeUndefined();
    now += 86_400_001;
    expect((await filesApi.getById(kept.id)).id).toBe(kept.id);
    expect((await rejection(filesApi.getById(file.id))).code).toBe(404);
  });

  it('needs the scope', async () => {
    const { body } = await run.call('POST', '/_sim/portals', { scopes: ['oauth'] });
    expect((await run.call('GET', '/files/v3/files/1', undefined, body.access_token)).status).toBe(403);
  });

  it('attaches a file to a record through a note', async () => {
    const contact = await run.client.crm.contacts.basicApi.create({ properties: { email: 'a@x.co' }, associations: [] });
    const file = await upload('x', 'a.txt');
    const note = await run.client.crm.objects.notes.basicApi.create({
      properties: { hs_timestamp: '2026-01-01T00:00:00Z', hs_note_body: 'Invoice', hs_attachment_ids: file.id },
      associations: [
        { to: { id: contact.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 202 }] },
      ],
    });
    const linked = await run.client.crm.associations.v4.basicApi.getPage('contacts', contact.id, 'notes');
    expect(linked.results.map(({ toObjectId }) => toObjectId)).toEqual([note.id]);
  });

  it('knows its files and forms again after a restart', async () => {
    const file = await upload('x', 'a.txt');
    const next = await startForTest({ now: () => now });
    try {
      next.simulator.state.restore(run.simulator.state.snapshot());
      expect((await next.call('GET', `/files/v3/files/${file.id}`)).body).toMatchObject({ path: '/invoices/a.txt' });
      const { url } = await run.client.files.filesApi.getSignedUrl(file.id);
      expect((await fetch(url.replace(run.url, next.url))).status).toBe(200);
    } finally {
      await next.simulator.stop();
    }
  });
});
