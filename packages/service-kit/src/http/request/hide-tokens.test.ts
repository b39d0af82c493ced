import { hideTokens } from './hide-tokens';

const logged = hideTokens([
  { contract: { path: '/api/invitations/:token/accept' } },
  { contract: { path: '/api/orgs/:organization_id/members' } },
]);

test('the token of a path is not logged, however the rest of the path is written', () => {
  for (const path of ['/api/invitations/s3cret/accept', '/API/Invitations/s3cret', '/api/invitations/s3cret/accept/']) {
    expect(logged(path)).not.toContain('s3cret');
  }
  expect(logged('/api/invitations/s3cret/accept')).toBe('/api/invitations/:token/accept');
});

test('every other path is logged as it is', () => {
  for (const path of ['/', '/api/invitations', '/api/orgs/5f0c/members', '/api/connectors/1']) expect(logged(path)).toBe(path);
});
