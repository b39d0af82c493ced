import type { JsonSchema } from '../http/route';
import {
  agentConversationLine, connectorLine, draftLine, pluginLine, pluginStorageLine, versionLine,
} from './configuration-lines';
import {
  conflictLine, dailyCounterLine, identityMappingLine, monthlyEventsLine, recordedPayloadLine, sourceSampleLine, syncHistoryLine,
} from './history-lines';
import {
  discardedRowLine, importJobLine, importRowLine, sourceFileLine, verificationJobLine, verificationRowLine,
} from './job-lines';

/** A file of JSON Lines in the package of a data export: always there, empty where there is nothing. */
export interface PackageFile {
  category: PackageCategory;
  description: string;
  /** Of each line. */
  schema: JsonSchema;
}

/** The categories of a package, in the order of its manifest. */
export const packageCategories = [
  'connectors', 'configuration', 'plugins', 'plugin_storage', 'identity_mappings', 'sync_history', 'recorded_payloads',
  'agent_conversations', 'source_samples', 'conflicts', 'bulk_imports', 'verifications', 'file_sources', 'usage',
] as const;
export type PackageCategory = (typeof packageCategories)[number];

/** Every file of JSON Lines, by its path in the package. */
export const packageFiles = {
  'connectors.jsonl': { category: 'connectors', description: 'The connectors.', schema: connectorLine },
  'configuration/versions.jsonl': {
    category: 'configuration', description: 'The published versions of their configs.', schema: versionLine,
  },
  'configuration/drafts.jsonl': { category: 'configuration', description: 'Their drafts.', schema: draftLine },
  'plugins/plugins.jsonl': {
    category: 'plugins', description: 'The plugins; their code is in files beside it.', schema: pluginLine,
  },
  'plugins/storage.jsonl': {
    category: 'plugin_storage', description: 'What plugins have stored.', schema: pluginStorageLine,
  },
  'identity_mappings.jsonl': {
    category: 'identity_mappings', description: 'Which CRM record an external id means.', schema: identityMappingLine,
  },
  'sync_history.jsonl': {
    category: 'sync_history', description: 'Outcomes of records, as `GET .../sync-events` lists them.', schema: syncHistoryLine,
  },
  'recorded_payloads.jsonl': {
    category: 'recorded_payloads', description: 'Payloads of accepted events.', schema: recordedPayloadLine,
  },
  'agent_conversations.jsonl': {
    category: 'agent_conversations', description: 'Sessions of the assistant.', schema: agentConversationLine,
  },
  'source_samples.jsonl': {
    category: 'source_samples', description: 'Sampled payloads of sources.', schema: sourceSampleLine,
  },
  'conflicts.jsonl': {
    category: 'conflicts',
    description: 'Properties that an event and an edit in the CRM both wanted to set.',
    schema: conflictLine,
  },
  'bulk_imports/jobs.jsonl': { category: 'bulk_imports', description: 'Bulk imports.', schema: importJobLine },
  'bulk_imports/rows.jsonl': { category: 'bulk_imports', description: 'Their rows.', schema: importRowLine },
  'verifications/jobs.jsonl': { category: 'verifications', description: 'Verifications.', schema: verificationJobLine },
  'verifications/rows.jsonl': { category: 'verifications', description: 'Their rows.', schema: verificationRowLine },
  'file_sources/files.jsonl': {
    category: 'file_sources', description: 'Files that file sources have read.', schema: sourceFileLine,
  },
  'file_sources/discarded_rows.jsonl': {
    category: 'file_sources', description: 'Rows of files that were discarded.', schema: discardedRowLine,
  },
  'usage/monthly_events.jsonl': {
    category: 'usage', description: 'Accepted events by month (UTC), without replays.', schema: monthlyEventsLine,
  },
  'usage/daily_counters.jsonl': {
    category: 'usage', description: 'Accepted events by day (UTC), connector and source.', schema: dailyCounterLine,
  },
} as const satisfies Record<string, PackageFile>;
export type PackageFilePath = keyof typeof packageFiles;
export const packageFilePaths = Object.keys(packageFiles) as readonly PackageFilePath[];

/** The folder of a plugin's code: characters that may mean something to a file system become `_`, and so does a name of dots. */
export const pluginFolder = (name: string): string => `plugins/${name.replaceAll(/[^A-Za-z0-9._-]|^\.{1,2}$/g, '_')}`;
