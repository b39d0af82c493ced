import { type CrmClient, monotonicClock } from '@sluice/ports';
import { createTokenApp } from './token-app';
import { answered, fakeSession } from '../test-support/fake-session';

const info = { hubId: 'portal', scopes: [], userId: null };

test('the app of a portal\'s token is asked for once a day, and again when the credential has another token', async () => {
  const state = { at: 0, token: 'of app 1' };
  const session = {
    ...fakeSession({
      introspect: async () => answered({ ...info, appId: state.token.slice(-1) }),
    } as unknown as Partial<CrmClient>),
    accessToken: async () => state.token,
  };
  const tokenApp = createTokenApp(monotonicClock(() => state.at));
  const appOf = async () => {
    const answer = await tokenApp(session);
    return answer.ok && answer.value;
  };
  expect([await appOf(), await appOf()]).toEqual(['1', '1']);
  expect(session.kinds).toHaveLength(1);
  state.token = 'of app 2';
  expect(await appOf()).toBe('2');
  state.at = 86_400_000;
  expect(await appOf()).toBe('2');
  expect(session.kinds).toHaveLength(3);
});
