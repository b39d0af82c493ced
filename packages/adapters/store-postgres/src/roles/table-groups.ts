/**
 * Every table, by what its rows are. A service's role holds groups (packages/deployment); of the tables of the others it has what
 * `others` says. A test refuses a table that stands here nowhere.
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

export const everything: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

export const tableGroups = {
  /** People, and how they sign in. */
  accounts: {
    tables: [
      'users', 'memberships', 'sessions', 'refresh_tokens', 'invitations', 'mail_tokens', 'mails', 'organization_api_keys',
      'trial_uses', 'second_factors', 'recovery_codes', 'sign_in_challenges', 'identities',
    ],
    holders: everything,
    others: [],
  },
  /** What organizations pay for. */
  billing: {
    tables: ['subscriptions', 'billing_orders', 'billing_details', 'agreement_acceptances', 'billing_events'],
    holders: everything,
    others: [],
  },
  /** Conversations with the assistant. */
  assistant: {
    tables: [
      'assistant_sessions', 'assistant_messages', 'assistant_events', 'assistant_proposals', 'assistant_days', 'assistant_months',
    ],
    holders: everything,
    others: [],
  },
  /** What of them a data export has. */
  exported_conversations: { tables: ['assistant_sessions', 'assistant_messages'], holders: ['SELECT'], others: [] },
  /** Code of users and what it has stored. Services that run events read which function a step means. */
  plugins: {
    tables: [
      'plugins', 'plugin_bundles', 'plugin_operations', 'plugin_functions', 'version_plugins', 'plugin_storage', 'plugin_hooks',
      'plugin_logs', 'plugin_metrics', 'local_function_code', 'local_functions', 'local_function_versions',
    ],
    holders: everything,
    others: ['SELECT'],
  },
  /** What is configured. Every service reads it. */
  config: { tables: ['organizations', 'drafts', 'versions'], holders: everything, others: ['SELECT'] },
  /** Changes of the configuration on their way to the other services. */
  outbox: { tables: ['outbox'], holders: everything, others: [] },
  /** Stored and deleted by one service. Services that open them read them, and store the tokens that they fetched. */
  credentials: { tables: ['credentials', 'crm_installs'], holders: everything, others: [] },
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
  /** Events, what became of them, and the work on them: every service has a part in it. */
  events: {
    tables: [
      'connectors', 'connector_api_keys', 'compat_keys', 'connector_sources', 'connector_bindings', 'source_contents',
      'source_files',
      'source_file_discards', 'crm_journal', 'watched_units', 'background_tasks', 'service_requests', 'compat_calls',
      'partition_owners', 'partition_progress', 'event_index', 'event_index_progress', 'event_payloads', 'sync_events',
      'event_minutes', 'event_hours', 'event_days', 'process_minutes', 'record_minutes', 'record_hours', 'record_days',
      'record_replays', 'record_writes', 'replay_jobs', 'held_events', 'held_scopes', 'flow_breakers', 'flow_failures',
      'write_conflicts', 'write_caps', 'write_cap_reservations', 'identity_mappings', 'identity_claims', 'mapping_removals',
      'data_exports', 'bulk_imports', 'bulk_import_rows', 'verifications', 'verification_rows',
    ],
    holders: everything,
    others: everything,
  },
  /** What has been migrated: migrations have a role of their own. */
  migrations: { tables: ['_prisma_migrations'], holders: ['SELECT'], others: ['SELECT'] },
} as const satisfies Record<string, TableGroup>;

export type TableGroupName = keyof typeof tableGroups;

/** What a role that holds these groups may do with a table; empty: nothing. */
export function privilegesOn(table: string, held: readonly TableGroupName[]): readonly Privilege[] {
  const groups = (Object.entries(tableGroups) as [TableGroupName, TableGroup][])
    .filter(([, { tables }]) => tables.includes(table));
  // A daily partition.
  if (groups.length === 0) return everything;
  const granted = groups.flatMap(([name, { holders, others }]) => (held.includes(name) ? holders : others));
  return everything.filter((privilege) => granted.includes(privilege));
}
