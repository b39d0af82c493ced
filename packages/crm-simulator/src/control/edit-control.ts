import { parseTime } from '../definitions/validate-value';
import { answer, type Answer } from '../http/answer';
import { problemAnswer } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { ObjectType } from '../model/object-types';
import { archiveRecord } from '../records/archive-record';
import { commitWrite } from '../records/commit-write';
import { mergeRecords } from '../records/merge-records';
import { prepareWrite } from '../records/prepare-write';
import { restoreRecord } from '../records/restore-record';
import type { Actor, CrmRecord } from '../stores/record-store';
import type { PortalState } from '../state/portal-state';
import { BadInput, controlBody, type ControlBody } from './control-input';
import type { ControlCall, ControlRoute } from './control-call';
import { presentSimRecord } from './observe-control';

const fields = ['portal_id', 'object_type', 'id', 'action', 'properties', 'merge_id', 'to_object_type', 'to_id', 'types', 'user'];

interface Edit {
  readonly portal: PortalState;
  readonly type: ObjectType;
  readonly body: ControlBody;
  readonly actor: Actor;
}

type Edited = { readonly record: CrmRecord } | { readonly problem: Problem };

const fail = (field: string, message: string): never => {
  throw new BadInput(field, message);
};

function idOf(body: ControlBody, field: string): string {
  const given = body.raw(field);
  return typeof given === 'number' ? String(given) : (body.text(field) ?? fail(field, 'is required'));
}

function target({ portal, type, body }: Edit, archivedToo = false): CrmRecord {
  const id = idOf(body, 'id');
  const { store } = portal.space(type);
  return (archivedToo ? store.find(id) : store.findLive(id)) ?? fail('id', `there is no ${type.singular} ${id}`);
}

/** Creates and updates; system properties may be set, the two dates move the record's own times. */
function write(edit: Edit, existing: CrmRecord | undefined): Edited {
  const { portal, type, body, actor } = edit;
  const properties = body.object('properties') ?? {};
  const prepared = prepareWrite({ portal, type, properties, existing, claims: new Map(), systemAllowed: true });
  if ('problem' in prepared) return prepared;
  const { [type.modifiedProperty]: modified, ...values } = prepared.plan.values;
  const record = commitWrite(portal, type, { ...prepared.plan, values }, actor);
  const at = modified === undefined ? undefined : parseTime(modified);
  if (at !== undefined) record.updatedAt = at;
  return { record };
}

function associate(edit: Edit): Edited {
  const { portal, type, body } = edit;
  const record = target(edit);
  const toType =
    portal.typeNamed(body.text('to_object_type') ?? fail('to_object_type', 'is required')) ??
    fail('to_object_type', 'is not an object type');
  const to = portal.space(toType).store.findLive(idOf(body, 'to_id')) ?? fail('to_id', 'does not exist');
  const given = body.raw('types') ?? [];
  if (!Array.isArray(given)) return fail('types', 'must be a list of type ids');
  const types = given.map(
    (id) =>
      portal.associationTypes.get(type.id, toType.id, Number(id)) ??
      fail('types', `${String(id)} is not an association type from ${type.name} to ${toType.name}`),
  );
  const fallback = portal.associationTypes.defaultOf(type.id, toType.id);
  if (types.length === 0 && !fallback) fail('types', `are required from ${type.name} to ${toType.name}`);
  portal.associations.link({ typeId: type.id, id: record.id }, { typeId: toType.id, id: to.id }, types, false);
  return { record };
}

const actions: Readonly<Record<string, (edit: Edit) => Edited>> = {
  create: (edit) => write(edit, undefined),
  update: (edit) => write(edit, target(edit)),
  delete: (edit) => {
    const record = target(edit);
    archiveRecord(edit.portal, edit.type, record);
    return { record };
  },
  restore: (edit) => restoreRecord(edit.portal, edit.type, target(edit, true)),
  merge: (edit) => mergeRecords(edit.portal, edit.type, target(edit).id, idOf(edit.body, 'merge_id'), edit.actor),
  associate,
};

function edit({ sim, body: given }: ControlCall): Answer {
  const body = controlBody(given, fields);
  const portalId = body.portalId() ?? fail('portal_id', 'is required');
  const portal = sim.portals.get(portalId) ?? fail('portal_id', `there is no portal ${portalId}`);
  const type =
    portal.typeNamed(body.text('object_type') ?? fail('object_type', 'is required')) ??
    fail('object_type', 'is not an object type');
  const run = actions[body.text('action') ?? ''] ?? fail('action', `must be one of ${Object.keys(actions).join(', ')}`);
  const done = run({ portal, type, body, actor: { source: 'user', user: body.text('user') ?? portal.owners[0]?.email } });
  if ('problem' in done) return problemAnswer(done.problem);
  return answer(200, presentSimRecord(portal, type, done.record));
}

/** Edits by a CRM user (docs/reference/crm-simulator.md, Edits). */
export const editControl: readonly ControlRoute[] = [{ method: 'POST', path: '/_sim/edits', handle: edit }];
