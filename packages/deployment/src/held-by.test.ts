import { heldBy } from './held-by';

const env = {
  DATABASE_URL: 'a', SLUICE_ENCRYPTION_KEYS: 'b', SLUICE_EVENT_ID_KEYS: 'c', SLUICE_OPERATOR_TOKEN: 'd', SLUICE_LOG_LEVEL: 'e',
};

test('a service holds its own secrets, and what is no secret', () => {
  expect(heldBy('flow-runner', env)).toEqual({ DATABASE_URL: 'a', SLUICE_ENCRYPTION_KEYS: 'b', SLUICE_LOG_LEVEL: 'e' });
});

test('what faces senders holds neither the keys of credentials nor the token of the operator', () => {
  expect(heldBy('ingest-api', env)).toEqual({ DATABASE_URL: 'a', SLUICE_EVENT_ID_KEYS: 'c', SLUICE_LOG_LEVEL: 'e' });
});
