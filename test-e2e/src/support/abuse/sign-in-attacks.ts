import assert from 'node:assert/strict';
import { operatorHeaders } from '../cluster';
import { type Arena, type Attack, attackAddress, many, type Tally, times } from './attack';
import { goodAddress } from './good-tenant';

/** Longest that an owner may wait for a sign-in while others guess passwords, milliseconds. Idle it is about 200. */
const signInMs = 5_000;

const login = (config: string): string => `${config}/api/auth/login`;

/**
 * The email address and trial of a company, used by an attacker first: the owner still gets both, and the attacker is signed out.
 */
async function squat({ config }: Arena, tally: Tally): Promise<void> {
  const headers = { 'x-forwarded-for': '198.51.100.67' };
  const [squatterPassword, ownerPassword] = ['correct horse battery', 'owner horse battery staple'];
  const email = (index: number): string => `person${index}@squatted.test`;
  const post = (path: string, body: object, more: Record<string, string> = headers) =>
    tally.ask(`${config}${path}`, { method: 'POST', body: JSON.stringify(body), headers: more });
  for (let index = 0; index < 5; index += 1) {
    await post('/api/auth/signup', { email: email(index), password: squatterPassword, organization_name: 'Squat' });
  }
  const company = { name: 'Company', owner_email: email(0), owner_password: ownerPassword, tier: 'trial' };
  assert.equal((await post('/operator/organizations', company, operatorHeaders)).status, 201);
  const signIn = (password: string, address: string) =>
    post('/api/auth/login', { email: email(0), password }, { 'x-forwarded-for': address });
  assert.equal((await signIn(squatterPassword, '198.51.100.67')).status, 401);
  const owner = await signIn(ownerPassword, goodAddress);
  const billing = await tally.ask(`${config}/api/v1/billing/me`, {
    headers: { authorization: `Bearer ${owner.body.access_token}` },
  });
  assert.deepEqual([owner.status, billing.body.tier], [200, 'trial']);
}

export const signInAttacks: readonly Attack[] = [
  {
    name: '60 wrong sign-ins at once, the owner from elsewhere',
    answers: [401, 429],
    run: async ({ config, attacker }, tally) => {
      const guesses = many(60, (index) =>
        tally.ask(login(config), {
          method: 'POST',
          body: JSON.stringify({ email: attacker.email, password: `wrong password ${index}` }),
        }),
      );
      const begun = performance.now();
      const owner = await fetch(login(config), {
        method: 'POST',
        body: JSON.stringify({ email: attacker.email, password: attacker.password }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': goodAddress },
      });
      assert.deepEqual([owner.status, performance.now() - begun < signInMs], [200, true]);
      await Promise.all(guesses);
      assert((tally.statuses.get(429) ?? 0) > 0);
    },
  },
  { name: 'the address and the trial of a company taken before its owner comes', answers: [200, 201, 401], run: squat },
  {
    name: 'sign-ups from one address',
    answers: [201, 429],
    run: async ({ config }, tally) => {
      await times(30, 6, (index) =>
        tally.ask(`${config}/api/auth/signup`, {
          method: 'POST',
          body: JSON.stringify({
            email: `squatter${index}@company${index}.test`,
            password: 'correct horse battery',
            organization_name: 'X',
          }),
        }),
      );
      assert((tally.statuses.get(201) ?? 0) <= 10);
    },
  },
  {
    name: 'sign-ins of 1 MiB',
    answers: [413, 429],
    run: async ({ config }, tally) =>
      times(60, 10, () =>
        tally.ask(login(config), {
          method: 'POST',
          body: JSON.stringify({ email: 'a@b.test', password: 'x'.repeat(1_048_576) }),
        }),
      ),
  },
  {
    name: 'guesses of the operator token',
    answers: [401, 429],
    run: async ({ config }, tally) =>
      times(300, 10, (index) =>
        tally.ask(`${config}/operator/overview`, {
          headers: { authorization: `Bearer guess-${index}`, 'x-forwarded-for': attackAddress },
        }),
      ),
  },
];
