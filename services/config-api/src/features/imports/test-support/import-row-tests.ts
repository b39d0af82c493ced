import { until } from '@sluice/ports/testing';
import { lab } from '../../../test-support/shared-lab';
import {
  begin, connectorId, counts, ended, job, linesOf, type Outcome, owner, path, published, refused, rows, runner, settle, upload,
} from './import-lab';

const unreadable = { external_id: null, status: 'failed', crm_id: null, error_code: 'invalid_row' };

/** Rows of a JSON request and of a file: what becomes of each, and what is refused. */
export function importRowTests(): void {
  describe('rows of a JSON request', () => {
    it('are stored before the answer, run in their order as events of their entity, and end with it', async () => {
      const first = await begin(10);
      expect(first).toMatchObject({
        entity: 'customer', event_type: 'customer_synced', status: 'queued', rows_total: 10, rows_done: 0, error: null,
        completed_at: null,
      });
      const done = await ended(first.id);
      expect(done).toMatchObject({ status: 'completed', rows_total: 10, completed_at: expect.any(String) });
      expect(counts(done)).toEqual([10, 0, 0, 0]);
      expect(published.map(({ external_id: id }) => id)).toEqual(rows(10).map(({ external_id: id }) => id));
      expect(published[0]).toMatchObject({
        kind: 'import', run: 'import-1', event_type: 'customer_synced', source_name: 'event_api', accepted_at: first.created_at,
        lane: `${connectorId}:customer:C-1`, payload: { email: 'c1@shop.example' }, import_row: { import_id: first.id, line: 1 },
      });
    });

    it('no more of them than a window are under way', async () => {
      runner.end = () => null;
      const { id } = await begin(9);
      await until('the window is full', () => published.length === 4);
      await until('it runs', async () => (await job(id)).status === 'running');
      for (const envelope of published.slice(0, 2)) await settle(envelope, { status: 'completed' });
      await until('two more', () => published.length === 6);
      runner.end = () => ({ status: 'completed' });
      for (const envelope of published.slice(2)) await settle(envelope, { status: 'completed' });
      expect(counts(await ended(id))).toEqual([9, 0, 0, 0]);
    });

    it('are told one by one, by status and in pages', async () => {
      runner.end = ({ import_row }) => ({
        1: { status: 'completed' as const, crmId: '77' },
        2: { status: 'failed' as const, error: 'the email is taken', errorCode: 'crm_rejected' },
        3: { status: 'skipped' as const, errorCode: 'superseded' },
        4: { status: 'parked' as const, error: 'the CRM is away', errorCode: 'crm_unavailable' },
        5: { status: 'completed' as const },
      })[import_row!.line] as Outcome;
      const { id } = await begin(5);
      const done = await ended(id);
      expect([done.status, counts(done)]).toEqual(['completed_with_errors', [2, 2, 1, 0]]);
      const { items, next_cursor: none } = await linesOf(id);
      expect(items).toEqual([
        { line: 1, external_id: 'C-1', status: 'completed', crm_id: '77', error: null, error_code: null },
        { line: 2, external_id: 'C-2', status: 'failed', crm_id: null, error: 'the email is taken', error_code: 'crm_rejected' },
        { line: 3, external_id: 'C-3', status: 'skipped', crm_id: null, error: null, error_code: 'superseded' },
        { line: 4, external_id: 'C-4', status: 'parked', crm_id: null, error: 'the CRM is away', error_code: 'crm_unavailable' },
        { line: 5, external_id: 'C-5', status: 'completed', crm_id: null, error: null, error_code: null },
      ]);
      expect(none).toBeNull();
      const first = await linesOf(id, '?status=completed&limit=1');
      expect(first.items.map(({ line }: { line: number }) => line)).toEqual([1]);
      const second = await linesOf(id, `?status=completed&limit=1&cursor=${first.next_cursor}`);
      expect([second.items[0].line, second.next_cursor]).toEqual([5, null]);
      for (const query of ['?status=nope', '?cursor=nope',
        '?limit=201']) await owner.get(path(`/${id}/rows${query}`)).expect(422);
    });

    it('that are not well formed refuse the request, each with its problems', async () => {
      const { body } = await owner.post(path(), {
        entity: 'customer',
        rows: [{ external_id: '', properties: {} }, { external_id: 'C-2', properties: [] }, { external_id: 'C-3' }],
      }).expect(422);
      const places = body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'));
      expect(places.sort()).toEqual(['rows.0.external_id', 'rows.1.properties', 'rows.2.properties']);
      expect((await owner.get(path()).expect(200)).body).toEqual({ items: [], total: 0 });
    });

    it('are 10,000 at most', async () => {
      const many = Array.from({ length: 10_001 }, (_, n) => ({ external_id: `${n}`, properties: {} }));
      const { body } = await owner.post(path(), { entity: 'customer', rows: many }).expect(413);
      expect(body.detail).toMatchObject({ error: 'payload_too_large', limit_rows: 10_000 });
    });
  });

  describe('rows of a file', () => {
    it('of a CSV: the column external_id and all others under their names, by physical lines', async () => {
      const text = '\uFEFFexternal_id,email,note\r\nC-1,a@shop.example,"two\nlines"\r\n\r\nC-2,b@shop.example\nC-3,"c ""x""",\n,d@shop.example,\n';
      const { id, rows_total: total } = (await upload(text, 'stock.CSV').expect(202)).body;
      expect(total).toBe(4);
      const done = await ended(id);
      expect([done.status, counts(done)]).toEqual(['completed_with_errors', [2, 2, 0, 0]]);
      expect(published.map(({ payload, import_row }) => [import_row!.line, payload])).toEqual([
        [2, { email: 'a@shop.example', note: 'two\nlines' }], [6, { email: 'c "x"', note: '' }],
      ]);
      expect((await linesOf(id, '?status=failed')).items).toEqual([
        { ...unreadable, line: 5, error: 'the row has 2 cells, the header 3' },
        { ...unreadable, line: 7, error: 'the external id is empty' },
      ]);
    });

    it('of a CSV with a mapping and another delimiter', async () => {
      const mapping = JSON.stringify({ external_id: 'Kunde', properties: { email: 'Mail' } });
      const fields = { mapping, delimiter: ';' };
      const { id } = (await upload('Mail;Kunde;Ort\na@shop.example;7;Ulm\n', 'kunden.csv', fields).expect(202)).body;
      await ended(id);
      expect(published.map(({ external_id, payload }) => [external_id, payload])).toEqual([['7', { email: 'a@shop.example' }]]);
    });

    it('of JSON Lines, as they are or with a mapping', async () => {
      const lines = '{"external_id":"C-1","properties":{"email":"a@shop.example","n":1}}\nno json\n\n{"external_id":"C-2"}\n';
      const plain = (await upload(lines, 'stock.jsonl').expect(202)).body;
      expect(counts(await ended(plain.id))).toEqual([1, 2, 0, 0]);
      const mapping = JSON.stringify({ external_id: 'id' });
      const mapped = (await upload('{"id":7,"email":"b@shop.example","tags":["x"]}', 'stock.jsonl',
        { mapping }).expect(202)).body;
      await ended(mapped.id);
      expect(published.map(({ external_id, payload }) => [external_id, payload])).toEqual([
        ['C-1', { email: 'a@shop.example', n: 1 }], ['7', { email: 'b@shop.example', tags: ['x'] }],
      ]);
    });

    it.each([
      ['a missing column', 'id,email\n1,a\n', 'a.csv', {}, ['body', 'file'], 'column_missing'],
      ['a duplicate column', 'external_id,email,email\n1,a,b\n', 'a.csv', {}, ['body', 'file'], 'column_duplicate'],
      ['no rows', 'external_id,email\n', 'a.csv', {}, ['body', 'file'], 'no_rows'],
      ['an empty file', '', 'a.jsonl', {}, ['body', 'file'], 'no_rows'],
      ['another kind of file', 'x', 'a.xlsx', {}, ['body', 'file'], 'file_kind'],
      ['a quoted cell without end', 'external_id,email\n1,"a\n', 'a.csv', {}, ['body', 'file'], 'csv_invalid'],
      ['a mapping that is no JSON', 'external_id\n1\n', 'a.csv', { mapping: '{' }, ['body', 'mapping'], 'json_invalid'],
      ['a mapping without id', 'external_id\n1\n', 'a.csv', { mapping: '{}' }, ['body', 'mapping', 'external_id'], 'value_error'],
      ['a mapped column that lacks', 'id\n1\n', 'a.csv', { mapping: '{"external_id":"x"}' }, ['body', 'file'], 'column_missing'],
      ['a delimiter of two characters', 'external_id\n1\n', 'a.csv', { delimiter: '||' }, ['body', 'delimiter'], 'value_error'],
    ] as const)('are refused before the answer: %s', async (_name, content, filename, fields, loc, type) => {
      expect(await refused(content, filename, fields)).toContainEqual([loc, type]);
      const leftSql = 'SELECT count(*)::int AS imports FROM bulk_imports WHERE connector_id = $1';
      const { rows: [left] } = await lab.pool.query(leftSql, [connectorId]);
      expect(left).toEqual({ imports: 0 });
    });

    it('a form without a file, or a body that is neither form nor JSON', async () => {
      const sent = lab.api().post(path()).set('authorization', `Bearer ${owner.token}`);
      expect((await sent.field('entity', 'customer').expect(422)).body.detail[0].loc).toEqual(['body', 'file']);
      const text = lab.api().post(path()).set('authorization', `Bearer ${owner.token}`).set('content-type', 'text/csv');
      await text.send('a,b').expect(415);
    });

    it('a file leaves nothing in the blob store', async () => {
      const { id } = (await upload('external_id\n1\n', 'a.csv').expect(202)).body;
      await ended(id);
      expect(await lab.blobs.deleteOlderThan('import-files', new Date(Date.now() + 60_000))).toBe(0);
    });

    it('503 while there is nowhere to store it', async () => {
      lab.takeBlobsAway(true);
      await upload('external_id\n1\n', 'a.csv').expect(503);
      lab.takeBlobsAway(false);
    });
  });
}
