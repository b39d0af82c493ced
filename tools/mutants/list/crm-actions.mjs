/** Mutants of the actions that create, delete, dissociate and promote, and of what a repeat of any action does. */
const writer = 'packages/crm-writer/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  {
    name: 'a create takes an older record for its own', file: `${writer}/writing/claimed-create.ts`,
    find: 'wasMadeBy(write, record, claimedAt) ? made(', replace: 'true ? made(', notice: unit('repeat-at-every-call'),
  },
  {
    name: 'a create whose answer was lost leaves its own record unmapped', file: `${writer}/writing/claimed-create.ts`,
    find: 'wasMadeBy(write, record, claimedAt) ? made(', replace: 'false ? made(', notice: unit('repeat-at-every-call'),
  },
  {
    name: 'a create does not search before it creates', file: `${writer}/writing/claimed-create.ts`,
    find: 'if (!unique.value) {', replace: 'if (false as boolean) {', notice: unit('crm-writer.test'),
  },
  {
    name: 'a deletion leaves the mapping', file: `${writer}/writing/remove-record.ts`,
    find: 'parts.mappings.remove(unit, { entity, externalId, objectType, crmId });', replace: '', notice: unit('crm-writer.test'),
  },
  {
    name: 'a deletion that finds nothing is forgotten', file: `${writer}/writing/remove-record.ts`,
    find: 'remember(unit, target, null);', replace: '', notice: { project: 'integration', pattern: 'overtaken-events' },
  },
  {
    name: 'a deletion is forgotten: a replay of an older event creates the record again', file: `${writer}/state/mapping-removals.ts`,
    find: 'if (!unit.guarded || externalId === null) return false;', replace: 'if (externalId !== \'\') return false;',
    notice: unit('repeat-at-every-call|mapping-removals'),
  },
  {
    name: 'an upsert that waited does not check again whether its record was deleted', file: `${writer}/writing/decide-upsert.ts`,
    find: 'externalId === null || deletedLater === false', replace: 'externalId !== \'\' || deletedLater === false',
    notice: unit('deleted-meanwhile'),
  },
  {
    name: 'a create that waited does not check again whether its record was deleted', file: `${writer}/writing/claimed-create.ts`,
    find: 'if (await parts.removals.superseded(unit, write)) return', replace: 'if (false as boolean) return',
    notice: unit('deleted-meanwhile'),
  },
  {
    name: 'a record that was deleted while its create waited to be sent is created again', file: `${writer}/writing/record-sender.ts`,
    find: '=> this.parts.removals.outdated(unit, write);', replace: '=> false;', notice: unit('deleted-meanwhile'),
  },
  {
    name: 'the same of a create that leaves a known record alone', file: `${writer}/writing/claimed-create.ts`,
    find: '=> parts.removals.outdated(unit, write);', replace: '=> false;', notice: unit('deleted-meanwhile'),
  },
  {
    name: 'a record with another identity is promoted', file: `${writer}/writing/promote-record.ts`,
    find: 'if (hasOther && !unit.forced) return', replace: 'if (hasOther && unit.forced) return', notice: unit('crm-writer.test'),
  },
  {
    name: 'a promotion that fails has taken the record from its external id', file: `${writer}/writing/promote-record.ts`,
    find: "const before: Before = {", replace: "if (other !== null) parts.mappings.remove(unit, { entity, externalId: other, objectType, crmId }, true);\n    const before: Before = {",
    notice: unit('promote-record'),
  },
  {
    name: 'an identity that another record has is assigned again', file: `${writer}/writing/promote-record.ts`,
    find: 'if (holder.value && holder.value.id !== record.id) return', replace: 'if (!holder.value) return', notice: unit('crm-writer.test'),
  },
  {
    name: 'policies do not see a merged record in a batch', file: `${writer}/policies/crm-record-reads.ts`,
    find: '? idsOf(record) :', replace: '? [record.id] :', notice: unit('crm-record-reads'),
  },
  {
    name: 'an association that was just made is removed when its record was merged', file: `${writer}/associations/remove-other-associations.ts`,
    find: '!remaining.value.has(id)', replace: "id !== ''", notice: unit('remove-other-associations'),
  },
  {
    name: 'a dissociation without a type removes nothing', file: `${writer}/associations/dissociate-records.ts`,
    find: "if (removed.ok) return item('removed');", replace: "if (removed.ok) return item('skipped');", notice: unit('crm-writer.test'),
  },
  {
    name: 'a merged record is not read under its old id', file: `${writer}/shared/merged-ids.ts`,
    find: "[...(properties[mergedIds]?.split(';') ?? []), id]", replace: '[id]', notice: unit('record-calls'),
  },
];
