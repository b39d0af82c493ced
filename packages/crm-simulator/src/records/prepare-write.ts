import { resolveInlineAssociations, type InlineLink } from '../associations/inline-associations';
import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import { isObject } from '../http/request-body';
import type { ObjectType } from '../model/object-types';
import type { PortalState, TypeSpace } from '../state/portal-state';
import { missingRequired } from './required-properties';
import type { CrmRecord } from '../stores/record-store';
import { validateProperties } from './validate-properties';
import { uniqueKey } from '../stores/unique-key';

/** A write that passed every check and only has to be carried out. */
export interface PlannedWrite {
  readonly id: string;
  /** The record to change; undefined creates one with `id`. */
  readonly existing?: CrmRecord;
  readonly values: Readonly<Record<string, string>>;
  readonly links: readonly InlineLink[];
}

export type Prepared = { readonly plan: PlannedWrite } | { readonly problem: Problem };

/** Unique values that earlier inputs of the same batch will take: `property\0value` to record id. */
export type Claims = Map<string, string>;

/** One input, already read from the wire. */
export interface WriteRequest {
  readonly portal: PortalState;
  readonly type: ObjectType;
  readonly properties: unknown;
  readonly associations?: unknown;
  readonly existing?: CrmRecord;
  readonly claims: Claims;
  readonly systemAllowed?: boolean;
}

function conflictProblem(request: WriteRequest, property: string, value: string, id: string, holderId: string): Problem {
  const { portal, type, existing } = request;
  if (property === 'email' && type.id === '0-1' && !existing) {
    return { status: 409, category: 'CONFLICT', message: `Contact already exists. Existing ID: ${holderId}` };
  }
  const objectTypeId = type.id.startsWith('2-')
    ? `ObjectTypeId{innerId=${type.id.slice(2)}, metaTypeId=2}`
    : `ObjectTypeId{legacyObjectType=${type.legacyName}}`;
  return invalid(`Cannot set PropertyValueCoordinates{portalId=${portal.portalId}, objectTypeId=${objectTypeId}, propertyName=${property}, value=${value}} on ${id}. ${holderId} already has that value.`);
}

/** Unique values: free, already this record's own, or held by another. Claims them for the rest of the batch. */
function uniqueConflict(
  request: WriteRequest,
  space: TypeSpace,
  id: string,
  values: Readonly<Record<string, string>>,
): Problem | undefined {
  const mine: string[] = [];
  for (const property of space.store.uniqueProperties) {
    const value = values[property];
    if (!value) continue;
    const key = uniqueKey(request.type, property, value);
    const claim = `${property}\0${key}`;
    const holderId = space.store.holder(property, key)?.id ?? request.claims.get(claim);
    if (holderId !== undefined && holderId !== id) return conflictProblem(request, property, value, id, holderId);
    mine.push(claim);
  }
  const taken = takenEmail(request, space, id, values);
  if (taken) return taken;
  for (const claim of mine) request.claims.set(claim, id);
  return undefined;
}

/** Additional emails (only edits set them) must not belong to another contact either. */
function takenEmail(
  request: WriteRequest,
  space: TypeSpace,
  id: string,
  values: Readonly<Record<string, string>>,
): Problem | undefined {
  if (request.type.id !== '0-1') return undefined;
  for (const email of values['hs_additional_emails']?.split(';') ?? []) {
    const holder = space.store.holder('email', email);
    if (holder && holder.id !== id) return conflictProblem(request, 'hs_additional_emails', email, id, holder.id);
  }
  return undefined;
}

/** Setting a contact's email to one of its own additional ones swaps the two. */
function swapAdditionalEmail(existing: CrmRecord | undefined, values: Record<string, string>): void {
  const email = values['email'];
  const others = existing?.properties['hs_additional_emails']?.split(';') ?? [];
  if (!email || !existing || !others.includes(email)) return;
  const former = existing.properties['email'];
  values['hs_additional_emails'] = [...others.filter((other) => other !== email), ...(former ? [former] : [])].join(';');
}

/** Checks one create or update completely without changing anything but the claims. */
export function prepareWrite(request: WriteRequest): Prepared {
  const { portal, type, existing } = request;
  if (!isObject(request.properties)) {
    if (request.properties !== undefined && request.properties !== null)
      return { problem: invalid('Invalid input JSON on line 1, column 2: properties must be an object') };
    return { problem: invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [properties]') };
  }
  const space = portal.space(type);
  const validated = validateProperties(portal, type, request.properties, existing?.properties, request.systemAllowed);
  if (!validated.ok) return validated;
  const { values } = validated;
  if (!existing) {
    const missing = request.systemAllowed ? undefined : missingRequired(portal, type, values);
    if (missing) return { problem: missing };
  }
  for (const property of space.store.uniqueProperties)
    if (values[property]) values[property] = uniqueKey(type, property, values[property]);
  if (type.id === '0-1') swapAdditionalEmail(existing, values);
  const links = resolveInlineAssociations(portal, type, request.associations);
  if ('problem' in links) return links;
  const id = existing?.id ?? space.store.allocateId();
  const conflict = uniqueConflict(request, space, id, values);
  if (conflict) return { problem: conflict };
  return { plan: { id, existing, values, links: links.links } };
}
