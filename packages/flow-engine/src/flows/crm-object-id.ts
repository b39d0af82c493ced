import type { Entity } from '@sluice/contracts/config-document';
import type { FlowContext } from '../flow-context';
import { compileReference, type Reference } from '../expressions/reference';

/** The CRM id of the record that an event is about; null when the event does not name it. */
export type CrmObjectId = (ctx: FlowContext, schema: string | null) => string | null;

/** The paths at which events of the CRM's journal have it. */
const usual = ['$.payload.object.id', '$.payload.objectId'].map((path) => compileReference(path));

/**
 * Compiles the path of an entity's CRM id in an event: `identity_source_path` of the given schema, else of `crm`, else the paths
 * of CRM events.
 */
export function compileCrmObjectId(entity: Entity, rebase: (ctx: FlowContext) => FlowContext): CrmObjectId {
  const paths = new Map<string, Reference>();
  for (const [name, { identity_source_path: path }] of Object.entries(entity.schemas))
    if (path !== undefined) paths.set(name, compileReference(path));
  return (ctx, schema) => {
    const own = (schema === null ? undefined : paths.get(schema)) ?? paths.get('crm');
    if (own) return idText(own.first(rebase(ctx)));
    return usual.map((path) => idText(path.first(ctx))).find((id) => id !== null) ?? null;
  };
}

/** Ids are texts; a blank one counts as none. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
