import { nullableText, timestamp } from '../shared';

export const versionProperties = {
  version: { type: 'integer' },
  is_active: { type: 'boolean' },
  published_at: timestamp,
  published_by: nullableText,
  change_summary: nullableText,
} as const;
export const versionFields = ['version', 'is_active', 'published_at', 'published_by', 'change_summary'] as const;
