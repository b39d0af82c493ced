const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Texts that no list has given as a cursor. */
export const madeUpCursors: readonly string[] = [
  '', '0', '-1', '99999999999999999999', 'nonsense', '../..', '%00', 'W10', 'e30',
  '3f0c1a52-7a51-4d5e-9a3b-0c1d2e3f4a5b', '2026-01-05T10:00:00.000Z',
  encoded(['elsewhere', 1]), encoded({ list: 'rows' }), encoded(null),
];
