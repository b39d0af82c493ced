import { until } from '@sluice/ports/testing';
import { describeWithAws, startAws, type TestAws } from '@sluice/testkit';
import { type PollerLab, startPollerLab } from '../test-support/poller-lab';

describeWithAws('watched buckets', () => {
  let lab: PollerLab;
  let aws: TestAws;
  beforeAll(async () => {
    [lab, aws] = await Promise.all([startPollerLab({ S3_BUCKET: 'of-sluice' }), startAws()]);
    await aws.makeBucket('exports');
    await aws.makeBucket('of-sluice');
  }, 240_000);
  afterAll(async () => {
    await aws?.stop();
    await lab?.stop();
  });
  const put = (key: string, body: string): Promise<void> => aws.putObject('exports', key, body);
  /** A connector whose source watches a location, with a login of its organization. */
  async function start(location: string, config: { credential_name?: string } = { credential_name: 'reader' }) {
    const connector = await lab.connector();
    await connector.credential('reader', 'login', { username: 'key', password: 'the-secret-key' });
    await connector.credential('token', 'bearer_token', { token: 'the-token' });
    await connector.publish({
      name: 'list', type: 'file', config: { location, endpoint: aws.url, external_id_path: '$.id', ...config },
    });
    const ids = () => connector.events().map(({ external_id: id }) => id);
    const lastError = async () => (await connector.source('list')).lastError;
    return { connector, ids, lastError };
  }

  test('each object below a prefix is read once by its key and content, also by a process that knows nothing of it', async () => {
    await put('new/a.csv', 'id\n1\n');
    await put('new/deeper/b.csv', 'id\n2\n');
    await put('old.csv', 'id\n9\n');
    const { connector, ids, lastError } = await start('s3://exports/new/');
    await until('they are read', () => ids().length === 2);
    await put('new/a.csv', 'id\n3\n');
    await until('the new content is read', () => ids().length === 3);
    await lab.restart();
    await connector.read('list', (await connector.source('list')).lastPollAt);
    expect([ids().sort(), await lastError()]).toEqual([['1', '2', '3'], null]);
    const { items } = await lab.files.list({ connectorId: connector.id, name: 'list' }, { limit: 100, offset: 0 });
    expect(items.map(({ filename }) => filename).sort()).toEqual(['new/a.csv', 'new/a.csv', 'new/deeper/b.csv']);
  }, 120_000);

  test('a bucket is read with the login of its source only; what is missing is the last error', async () => {
    await put('any.csv', 'id\n1\n');
    const cases: [Awaited<ReturnType<typeof start>>, string][] = [
      [await start('s3://exports/', {}), "its location is a bucket, which is read with a login: set 'credential_name'"],
      [await start('s3://exports/', { credential_name: 'gone' }), "the credential 'gone' cannot be used: it does not exist"],
      [await start('s3://exports/', { credential_name: 'token' }),
        "the credential 'token' cannot be used: it is a bearer_token, and a bucket is read with a login"],
      [await start('s3://none-such/'), "the bucket 'none-such' cannot be read: NoSuchBucket (status 404)"],
      [await start('s3://of-sluice/'), "the bucket 'of-sluice' may not be watched"],
    ];
    for (const [{ ids, lastError }, expected] of cases) {
      await until(`${expected}: is told`, async () => (await lastError()) === expected);
      expect(ids()).toEqual([]);
    }
  }, 120_000);
});
