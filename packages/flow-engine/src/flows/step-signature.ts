import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { Step } from '@sluice/contracts/config-document';
import type { EntityLookup } from './compiled-entity';

/**
 * By which a later attempt recognizes a step of an earlier one. A version that was published between the two may use the id of
 * the step for something else.
 */
export interface StepSignature {
  /** What the step works on: its action, its target, its entities and their object types. */
  about: string;
  /** The whole step as authored, with those object types. */
  authored: string;
}

export function stepSignature(step: Step, entities: EntityLookup): StepSignature {
  const { when: _when, ...fields } = step;
  const named = [step.entity, step.from_entity, step.to_entity];
  const objectTypes = named.map((name) => (typeof name === 'string' ? (entities.get(name)?.objectType ?? null) : null));
  const works = [
    step.action, step.target ?? null, step.object_type ?? null, ...named.map((name) => name ?? null), ...objectTypes,
  ];
  return { about: digest(works), authored: digest([fields, objectTypes]) };
}

/** Short, because it is kept with every event that waits. */
const digest = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(value)))).slice(0, 16);
