import { classifyAnswer } from './classify';

describe('answers of the CRM', () => {
  it.each<[number, string, string]>([
    [400, 'permanent', 'crm_rejected'],
    [401, 'fatal', 'crm_unauthorized'],
    [403, 'fatal', 'crm_forbidden'],
    [404, 'permanent', 'crm_not_found'],
    [408, 'transient', 'crm_unavailable'],
    [409, 'permanent', 'crm_conflict'],
    [423, 'transient', 'crm_locked'],
    [425, 'transient', 'crm_unavailable'],
    [429, 'transient', 'crm_rate_limited'],
    [477, 'transient', 'crm_migrating'],
    [500, 'transient', 'crm_unavailable'],
    [502, 'transient', 'crm_unavailable'],
    [521, 'transient', 'crm_unavailable'],
    [524, 'transient', 'crm_unavailable'],
  ])('%i is %s %s', (status, kind, code) => {
    expect(classifyAnswer(status, { message: 'said so' }, undefined)).toMatchObject({
      ok: false,
      kind,
      code,
      message: 'said so',
    });
  });

  it.each<[number, string]>([
    [409, 'Contact already exists. Existing ID: 51'],
    [
      400,
      'Cannot set PropertyValueCoordinates{portalId=1, objectTypeId=ObjectTypeId{legacyObjectType=CONTACT}, propertyName=email, value=7@x.co} on 901. 51 already has that value.',
    ],
  ])('a %i that names the holder of a unique value gives that holder', (status, message) => {
    expect(classifyAnswer(status, { message }, undefined)).toEqual({
      ok: false,
      kind: 'permanent',
      code: 'crm_value_taken',
      message,
      holderId: '51',
    });
  });

  it.each<[string | undefined, number]>([
    ['TEN_SECONDLY_ROLLING', 10_000],
    ['SECONDLY', 1_000],
    ['DAILY', 900_000],
    ['NEW_ONE', 1_000],
    [undefined, 1_000],
  ])('a 429 of policy %s waits %i ms, unless it says how long', (policyName, wait) => {
    const body = policyName === undefined ? undefined : { policyName };
    expect(classifyAnswer(429, body, undefined)).toMatchObject({ retryAfterMs: wait });
    expect(classifyAnswer(429, body, 77)).toMatchObject({ retryAfterMs: 77 });
  });

  it('waits for a lock, and has a message when the CRM sends none', () => {
    expect(classifyAnswer(423, undefined, undefined)).toMatchObject({ retryAfterMs: 2_000, message: 'the CRM answered 423' });
    expect(classifyAnswer(500, undefined, undefined)).not.toHaveProperty('retryAfterMs');
  });
});
