/** What the code of a change of address belongs to, for its hash. */
export const codeOwner = (userId: string): string => `change_email:${userId}`;
