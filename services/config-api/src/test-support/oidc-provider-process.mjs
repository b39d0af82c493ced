/**
 * The published OpenID provider (oidc-provider) with one client, as a process: it is an ES module, which jest does not load.
 * argv[2] is JSON: { clientId, clientSecret, redirectUri }. Sends `{ url }` once it listens, and `{ refused }` for every token request that it
 * refuses, in its own words. Anybody may sign in, with an address as login; of `unproven:<address>` the provider says that it is not verified.
 */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { clientId, clientSecret, redirectUri } = JSON.parse(process.argv[2]);
const unproven = /^unproven:/;

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: () => ({ sub: login, name: 'Ada', email: login.replace(unproven, ''), email_verified: !unproven.test(login) }),
    }),
  });
  provider.on('grant.error', (_context, error) => process.send({ refused: error.error_detail ?? error.message }));
  server.on('request', provider.callback());
  process.send({ url });
});
process.on('disconnect', () => process.exit(0));
