import { migrate } from '@sluice/store-postgres';
import { eventually, startPostgres } from '@sluice/testkit';
import { startLab } from './test-support/lab';

test('while Postgres is away every route answers 503, and works again once it is back', async () => {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await migrate(url);
  const lab = await startLab({}, { url });
  try {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    await postgres.pause();
    for (const call of [
      owner.get('/api/connectors'),
      owner.patch(`/api/connectors/${id}`, { name: 'X' }),
      lab.operator.get('/operator/overview'),
      lab.api().post('/api/auth/login').send({ email: 'a@b.example', password: 'long enough 1' }),
    ]) {
      const answer = await call;
      expect([answer.status, answer.body]).toEqual([503, { detail: { error: 'service_unavailable' } }]);
    }
    expect((await lab.api().get('/readyz')).status).toBe(503);
    await postgres.restart();
    await eventually(async () => (await owner.patch(`/api/connectors/${id}`, { name: 'Back' })).status === 200);
    await eventually(() => lab.change(id)?.name === 'Back');
    await eventually(async () => (await lab.api().get('/readyz')).status === 200);
  } finally {
    await lab.stop();
    await postgres.stop();
  }
});
