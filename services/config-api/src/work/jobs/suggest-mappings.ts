import { type KnownProperty, type MappingSuggestion, suggestMappings } from '@sluice/config-model';
import type { Entity } from '@sluice/contracts';

export interface SuggestJob {
  entity: Entity;
  /** Recent payloads, each as JSON. */
  payloads: string[];
  properties: KnownProperty[] | null;
}

export const suggestMappingsJob = ({ entity, payloads, properties }: SuggestJob): MappingSuggestion[] =>
  suggestMappings(entity, { payloads: payloads.map((text) => JSON.parse(text) as unknown), properties });
