import type { SourceState, VersionSources } from '@sluice/ports';
import { generateKeyringSetting } from '@sluice/service-kit';
import { createWebhookKeyring } from '@sluice/service-parts';

/** The part of a published version that calls of external systems depend on. */
export interface PublishedForCalls extends VersionSources {
  /** Secrets in the open, by the name of their source; a source without one gets no state. */
  secrets: Record<string, string>;
  /** Sources that are switched off. */
  off?: string[];
  /** Sources whose secret was encrypted with another key. */
  unreadable?: string[];
}

/** The setting of the keys that secrets of webhooks are encrypted with. */
export const webhookKeys = generateKeyringSetting();
const webhookKeyring = createWebhookKeyring({ webhookKeys: webhookKeys, encryptionKeys: null })!;
const otherKeyring = createWebhookKeyring({ webhookKeys: generateKeyringSetting(), encryptionKeys: null })!;

/** The sources as they are stored. */
export function statesOf(connectorId: string, { off = [], secrets, sources, unreadable = [] }: PublishedForCalls): SourceState[] {
  return sources.flatMap(({ name, type }) => (secrets[name] === undefined ? [] : [{
    name, type, enabled: !off.includes(name),
    sealed: (unreadable.includes(name) ? otherKeyring : webhookKeyring).encrypt(secrets[name], `source:${connectorId}:${name}`),
    rotatedAt: null, cursor: null, lastEventAt: null, lastPollAt: null, lastError: null,
  }]));
}

