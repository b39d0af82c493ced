/**
 * Tables that not every service may use as it likes. A service's role holds groups (packages/deployment); of the tables of the
 * others it has what `others` says. A table that stands here nowhere is read and written by every service.
 */
export interface TableGroup {
  tables: readonly string[];
  /** What a role that holds the group may do. */
  holders: readonly Privilege[];
  /** What every role may do. */
  others: readonly Privilege[];
  /** Functions that holders may call. */
  functions?: readonly string[];
}

export type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/** What a role may do with a table of no group. */
export const everything: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

export const tableGroups = {
  /** People, and how they sign in. */
  accounts: {
    tables: [
      'users', 'memberships', 'sessions', 'refresh_tokens', 'invitations', 'mail_tokens', 'mails', 'organization_api_keys',
      'trial_uses', 'second_factors', 'recovery_codes', 'sign_in_challenges',
    ],
    holders: everything,
    others: [],
  },
  /** What is configured. Every service reads it. */
  config: { tables: ['organizations', 'drafts', 'versions'], holders: everything, others: ['SELECT'] },
  /** Changes of the configuration on their way to the other services. */
  outbox: { tables: ['outbox'], holders: everything, others: [] },
  /** Stored and deleted by one service. Services that open them read them, and store the tokens that they fetched. */
  credentials: { tables: ['credentials'], holders: everything, others: [] },
  opened_credentials: { tables: ['credentials'], holders: ['SELECT', 'UPDATE'], others: [] },
  /** It is only added to. */
  audit: {
    tables: ['audit_entries'],
    holders: ['SELECT', 'INSERT'],
    others: [],
    functions: ['sluice_delete_old_audit_entries(timestamptz, integer)'],
  },
  /** The daily partitions of events and outcomes, which are made and dropped by functions. */
  days: {
    tables: [],
    holders: [],
    others: [],
    functions: ['sluice_add_day(text, text, date)', 'sluice_drop_days_before(text, text, date)'],
  },
  /** What has been migrated: migrations have a role of their own. */
  migrations: { tables: ['_prisma_migrations'], holders: ['SELECT'], others: ['SELECT'] },
} as const satisfies Record<string, TableGroup>;

export type TableGroupName = keyof typeof tableGroups;

/** What a role that holds these groups may do with a table; empty: nothing. */
export function privilegesOn(table: string, held: readonly TableGroupName[]): readonly Privilege[] {
  const groups = (Object.entries(tableGroups) as [TableGroupName, TableGroup][])
    .filter(([, { tables }]) => tables.includes(table));
  if (groups.length === 0) return everything;
  const granted = groups.flatMap(([name, { holders, others }]) => (held.includes(name) ? holders : others));
  return everything.filter((privilege) => granted.includes(privilege));
}
