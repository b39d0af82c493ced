import { type Attack, attackAddress, many, times } from './attack';
import { goodAddress } from './good-tenant';

/** Longest that an owner may wait for a sign-in while others guess passwords, milliseconds. Idle it is about 200. */
const signInMs = 5_000;

const login = (config: string): string => `${config}/api/auth/login`;

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
      expect([owner.status, performance.now() - begun < signInMs]).toEqual([200, true]);
      await Promise.all(guesses);
      expect(tally.statuses.get(429)).toBeGreaterThan(0);
    },
  },
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
      expect(tally.statuses.get(201)).toBeLessThanOrEqual(10);
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
