import { maskSecrets } from './mask-secrets';

describe('masked secrets', () => {
  it('are masked in every text and key', () => {
    const answer = { auth: 'Bearer s3cret-key', list: ['s3cret-key', 1, null], deep: { 's3cret-key': true } };
    expect(maskSecrets(answer, ['s3cret-key'])).toEqual({ auth: 'Bearer ***', list: ['***', 1, null], deep: { '***': true } });
  });

  it('a text of three characters is no secret', () => expect(maskSecrets('abcd', ['abc'])).toBe('abcd'));
});
