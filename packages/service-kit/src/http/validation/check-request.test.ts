import { defineRoute } from '@sluice/contracts';
import { requestCheck } from './check-request';
import type { HttpError } from '../errors/http-error';

const schema = {
  type: 'object',
  required: ['email', 'password'],
  additionalProperties: false,
  properties: {
    email: { type: 'string', maxLength: 10 }, password: { type: 'string', maxLength: 5 },
    token_label: { type: 'string', maxLength: 5 },
  },
} as const;

const routeWith = (secretFields?: readonly string[]) =>
  defineRoute({
    name: 'sign_in', method: 'post', path: '/sign-in', tag: 'T', summary: 'S', auth: 'none', body: schema,
    ...(secretFields && { secretFields }), answers: {}, errors: [],
  });

/** `input` by the field of each problem. */
function inputs(body: unknown, secretFields?: readonly string[]): Record<string, unknown> {
  try {
    requestCheck(routeWith(secretFields))({ params: {}, query: {}, body });
  } catch (error) {
    const entries = (error as HttpError).detail as { loc: string[]; input: unknown }[];
    return Object.fromEntries(entries.map(({ loc, input }) => [loc.join('.'), input]));
  }
  throw new Error('nothing was refused');
}

const secret = 'hunter2';

describe('the input of a problem in a body with secret fields', () => {
  const of = (body: unknown) => inputs(body, ['password']);

  test('a secret field is not repeated, a field with a name like a secret is', () => {
    const body = { email: 'far too long an address', password: secret, token_label: 'label of it' };
    expect(of(body)).toEqual({ 'body.email': body.email, 'body.password': null, 'body.token_label': 'label of it' });
  });

  test('nor is a field that is none: it may be a misspelled secret', () => {
    expect(of({ email: 'a@b.c', password: 'p', passwrod: secret })).toEqual({ 'body.passwrod': null });
  });

  test('of the body around a missing field only declared open fields are shown', () => {
    expect(of({ email: 'a@b.c', passwrod: 'x' })).toMatchObject({
      'body.password': { email: 'a@b.c', passwrod: '[redacted]' },
    });
    expect(of({ password: secret })['body.email']).toEqual({ password: '[redacted]' });
  });

  test('a body of another type is not repeated', () => {
    expect([of([secret]), of(secret)]).toEqual([{ body: null }, { body: null }]);
  });

  test('a text that no store can hold is not repeated either', () => {
    expect(of({ email: 'a@b.c', password: `a\0` })).toEqual({ 'body.password': null });
  });
});

test('a body without secret fields is repeated as it was given, whatever its fields are called', () => {
  const found = inputs({ email: 'a@b.c', password: secret, api_secret: 'x' });
  expect(found).toEqual({ 'body.password': secret, 'body.api_secret': 'x' });
});
