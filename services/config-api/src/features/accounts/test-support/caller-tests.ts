import { randomUUID } from 'node:crypto';
import { configRoutes, type RouteContract } from '@sluice/contracts';
import { decode, sign } from 'jsonwebtoken';
import { createSessionTokens } from '../../../auth/session-token';
import { operatorToken, startLab } from '../../../test-support/lab';
import { lab } from '../../../test-support/shared-lab';

/** Who may call: sessions, keys of organizations, the operator. */
export function callerTests(): void {
  describe('who may call', () => {
    test('401 says Bearer', async () => {
      for (const header of [undefined, 'Basic abc', 'Bearer']) {
        const call = lab.api().get('/api/me');
        const answer = await (header ? call.set('authorization', header) : call).expect(401);
        expect([answer.body, answer.headers['www-authenticate']]).toEqual([{ detail: 'Not authenticated' }, 'Bearer']);
      }
      for (const token of ['nonsense', 'slo_unknown', sign({ sub: 'x' }, 'other key')]) {
        expect((await lab.as(token).get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token' });
      }
    });

    test('a token of this installation with wrong claims says so', async () => {
      const [owner, other] = [await lab.owner(), await lab.owner()];
      const { sid } = decode(owner.token) as { sid: string };
      const tokens = createSessionTokens(lab.secrets.SLUICE_ENCRYPTION_KEYS, 900_000);
      const given = { sessionId: sid, userId: owner.userId, organizationId: owner.organizationId };
      const detailFor = async (claims: object) => {
        const { token } = tokens.issue({ ...given, ...claims } as typeof given);
        return (await lab.as(token).get('/api/me').expect(401)).body.detail;
      };
      await lab.as(tokens.issue(given).token).get('/api/me').expect(200);
      for (const claims of [{ sessionId: undefined }, { organizationId: undefined }])
        expect(await detailFor(claims)).toBe('Token missing required claims');
      // The session of somebody else, and claims of another type.
      for (const claims of [{ userId: other.userId }, { sessionId: 7 }, { organizationId: ['x'] }])
        expect(await detailFor(claims)).toBe('Invalid token claims');
      expect(await detailFor({ sessionId: randomUUID(), userId: randomUUID() })).toBe('User not found');
    });

    test('routes of owners refuse members and keys, and change nothing', async () => {
      const owner = await lab.owner();
      const member = await lab.member(owner.organizationId);
      const made = (await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body;
      expect((await member.get('/api/me').expect(200)).body).toMatchObject({
        organization: { id: owner.organizationId, role: 'member' },
      });
      await member.post('/api/connectors', { name: 'of a member' }).expect(201);
      const contracts = Object.values(configRoutes as Record<string, RouteContract>).filter(({ auth }) => auth === 'owner');
      expect(contracts.length).toBeGreaterThanOrEqual(3);
      for (const [caller, isKey] of [[member, false], [lab.as(made.raw_key), true]] as const) {
        for (const { method, path, keyRefusal = 'owner_required' } of contracts) {
          const refused = await caller[method as 'get'](
            path.replace(':key_id', made.id).replace(':organization_id', owner.organizationId),
            method === 'post' ? { label: 'more' } : undefined,
          ).expect(403);
          expect(refused.body).toEqual({ detail: { error: isKey ? keyRefusal : 'owner_required' } });
        }
      }
      expect((await owner.get('/api/org-api-keys').expect(200)).body).toMatchObject({
        total: 1,
        items: [{ id: made.id, is_active: true }],
      });
    });

    test('an owner of another organization is only a member of this one', async () => {
      const [owner, guest] = [await lab.owner(), await lab.owner()];
      const visit = await lab.member(owner.organizationId, guest.userId);
      await visit.get('/api/org-api-keys').expect(403);
      await guest.get('/api/org-api-keys').expect(200);
    });

    test('organization keys: listed without the key, refused once revoked or expired', async () => {
      const owner = await lab.owner();
      const made = (await owner.post('/api/org-api-keys', { label: ' ci ' }).expect(201)).body;
      expect(made).toMatchObject({ label: 'ci', is_active: true, expires_at: null });
      const key = lab.as(made.raw_key);
      expect((await key.get('/api/me').expect(200)).body).toMatchObject({
        user: null,
        organization: { id: owner.organizationId, role: null },
        memberships: [],
      });
      const listed = (await owner.get('/api/org-api-keys').expect(200)).body;
      expect(listed.total).toBe(1);
      expect(JSON.stringify(listed)).not.toContain(made.raw_key);
      await owner.delete(`/api/org-api-keys/${made.id}`).expect(204);
      await key.get('/api/me').expect(401);
      await owner.delete('/api/org-api-keys/not-a-key').expect(404);
      await owner.post('/api/org-api-keys', { label: 'old', expires_at: '2020-01-01T00:00:00Z' }).expect(422);
      const brief = (
        await owner
          .post('/api/org-api-keys', { label: 'brief', expires_at: new Date(Date.now() + 3_600_000).toISOString() })
          .expect(201)
      ).body;
      await lab.pool.query(`UPDATE organization_api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [brief.id]);
      await lab.as(brief.raw_key).get('/api/me').expect(401);
    });

    test('a closed organization can be read and no longer changed, a suspended or closing one can', async () => {
      const owner = await lab.owner();
      const state = (name: string) =>
        lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { state: name }).expect(200);
      for (const name of ['suspended', 'closing']) {
        await state(name);
        await owner.post('/api/connectors', { name }).expect(201);
      }
      await state('closed');
      const { items } = (await owner.get('/api/connectors').expect(200)).body;
      const changes = [
        owner.post('/api/connectors', { name: 'late' }),
        owner.delete(`/api/connectors/${items[0].id}`),
        owner.post('/api/org-api-keys', { label: 'late' }),
      ];
      for (const change of changes) expect((await change.expect(409)).body).toEqual({ detail: { error: 'organization_closed' } });
      await state('active');
      await owner.post('/api/connectors', { name: 'again' }).expect(201);
    });

    test('50 requests a second per organization, also while the shared count is away', async () => {
      const limited = await startLab({ SLUICE_RATE_LIMIT_SCALE: '0.1' });
      try {
        const owner = await limited.owner();
        for (let n = 0; n < 5; n += 1) await owner.get('/api/me').expect(200);
        const refused = await owner.get('/api/me').expect(429);
        expect([refused.body, refused.headers['retry-after'], refused.headers['x-ratelimit-limit']]).toEqual([
          { detail: 'Rate limit exceeded for org' },
          '1',
          '5',
        ]);
        limited.kv.down = true;
        await (await limited.owner()).get('/api/me').expect(200);
      } finally {
        await limited.stop();
      }
    });
  });

  test('the operator has a separate token; without one in the settings `/operator` does not exist', async () => {
    const owner = await lab.owner('pro');
    await owner.get(`/operator/organizations/${owner.organizationId}`).expect(401);
    await lab.api().get('/operator/overview').expect(401);
    for (const token of [
      operatorToken.slice(0, 1),
      operatorToken.slice(0, -1),
      operatorToken.slice(1),
      `${operatorToken}x`,
      operatorToken.toUpperCase(),
    ]) {
      const { body } = await lab.as(token).get(`/operator/organizations/${owner.organizationId}`).expect(401);
      expect(body).toEqual({ detail: 'Invalid token' });
    }
    const patched = (
      await lab.operator
        .patch(`/operator/organizations/${owner.organizationId}`, {
          state: 'suspended',
          limits: { connectors_limit: 7, events_limit: null },
          per_record_ordering: true,
        })
        .expect(200)
    ).body;
    expect(patched).toMatchObject({
      tier: 'pro',
      state: 'suspended',
      limits: { connectors_limit: 7, events_limit: null },
      per_record_ordering: true,
    });
    expect((await lab.operator.get(`/operator/organizations/${owner.organizationId}`).expect(200)).body).toEqual(patched);
    expect((await lab.operator.get('/operator/organizations/nobody').expect(404)).body).toEqual({ detail: 'Not Found' });
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`,
      { limits: { other: 1 }, tier: 'gold' }).expect(422);
    const { body: overview } = await lab.operator.get('/operator/overview').expect(200);
    expect(overview).toMatchObject({ held: {}, oldest_unprocessed_seconds: null, breakers: {} });
    expect(
      overview.services.map(({ name, instances }: { name: string; instances: unknown[] }) => [name, instances.length]),
    ).toEqual([
      ['config-api', 1],
      ['flow-runner', 0],
      ['ingest-api', 0],
    ]);
    expect(overview.lag).toContainEqual({ topic: 'events.inbound', group: 'flow-runner', partition: 0, lag: 0 });
    const closed = await startLab({ SLUICE_OPERATOR_TOKEN: '' });
    try {
      await closed.operator.get('/operator/overview').expect(404);
    } finally {
      await closed.stop();
    }
  });
}
