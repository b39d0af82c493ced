/** What a list of the examples of bulk writes comes to. */
export const succeeded = (external_id: string, crm_id: string) =>
  ({ external_id, crm_id, status: 'succeeded', error: null, reason: null }) as const;
export const twoCustomers = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }];
export const bothCustomers = { total: 2, succeeded: 2, failed: 0, skipped: 0 } as const;
export const adaRecord = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
export const bobRecord = { objectType: 'contacts', crm_id: '502', properties: { email: 'bob@example.com' } };
