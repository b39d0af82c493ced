import type { PartitionLease } from '../../run-store/partition-ownership';
import type { HeldEvent } from '../../run-store/run-store';
import type { PartitionRef } from '../../run-store/partition-ref';
import { sameScope, type ScopeId } from '../../run-store/scope-id';
import type { ClaimKey, CrmRecordKey, MappingKey } from '../../run-store/identity-map';

/** Keys of the maps in which the twin of the run store keeps its rows. */
export const textOf = (...parts: unknown[]): string => JSON.stringify(parts);
export const mappingText = ({ connectorId, entity, externalId }: MappingKey): string => textOf(connectorId, entity, externalId);
export const recordText = ({ portalId, objectType, crmId }: CrmRecordKey): string => textOf(portalId, objectType, crmId);
export const claimText = ({ portalId, objectType, property, value }: ClaimKey): string =>
  textOf(portalId, objectType, property, value);
export const inLogOrder = (a: HeldEvent, b: HeldEvent): number => (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0);
export const leaseText = ({ topic, partition, epoch }: PartitionLease): string => `${partition} ${epoch} ${topic}`;
export const isIn = (held: HeldEvent, ref: PartitionRef, scope: ScopeId): boolean =>
  held.topic === ref.topic && held.partition === ref.partition && sameScope(held.scope, scope);
