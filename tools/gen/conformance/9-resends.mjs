/** An event that is sent again is the same event. */
const tests = {
  resends: 'services/ingest-api/src/accept/idempotency.test.ts',
  'key rotation': 'packages/event-intake/src/key-rotation.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'The same `Idempotency-Key`',
      rules: [
        ['The same event for 24 h, whatever the body; processed once', 'resends the same key gives the same event for 24 h, with any body, and is published once'],
        ['Requests under one key at the same moment: one event, counted once, the same answer', 'resends requests under one key that come at the same moment are one event: published once, with one answer'],
        ['The key of a refused event is not taken', 'resends the key of a refused event is not stored'],
        ['Also while the key-value store is away, and around midnight', "resends without the cache the id is derived from the key: the same within a day, the day before as its alias"],
        ['Also where the clocks of two acceptors differ', 'resends around midnight two acceptors whose clocks differ give one event, and both ids tell its status'],
        ['Also while the keys of event ids are rotated, whichever process accepted first', 'resends while keys of event ids are rotated a resend is the same event at each process'],
        ['Every listed key gives aliases, at each step of a rotation', 'key rotation a resend under one Idempotency-Key while the keys of event ids are rotated'],
      ],
    },
  ],
};
