import { standardTypes } from './object-types';

/** Every scope a portal can grant; the default portal grants all of them. */
export const allScopes: readonly string[] = [
  ...new Set([
    'oauth',
    'tickets',
    'e-commerce',
    'files',
    'forms',
    'sales-email-read',
    'crm.lists.read',
    'crm.lists.write',
    'crm.objects.owners.read',
    'crm.objects.custom.read',
    'crm.objects.custom.write',
    'crm.schemas.custom.read',
    'crm.schemas.custom.write',
    ...standardTypes.flatMap((type) => [
      ...type.readScopes,
      ...type.writeScopes,
      ...type.schemaReadScopes,
      ...type.schemaWriteScopes,
    ]),
    'developer.webhooks_journal.read',
    'developer.webhooks_journal.subscriptions.read',
    'developer.webhooks_journal.subscriptions.write',
    'developer.webhooks_journal.snapshots.read',
    'developer.webhooks_journal.snapshots.write',
  ]),
];
