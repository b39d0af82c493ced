/** Records that one verification may name, and that a sample may have. */
export const verificationLimits = { externalIds: 1_000, sample: 10_000 } as const;

/** What a verification may find of a record. */
export const verifiedStatuses = ['matched', 'mismatched', 'missing', 'not_verifiable'] as const;
export type VerifiedStatus = (typeof verifiedStatuses)[number];
