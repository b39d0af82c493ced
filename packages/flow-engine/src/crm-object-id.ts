import type { Entity } from '@sluice/contracts/config-document';
import type { FlowContext } from './flow-context';
import { compileReference, type Reference } from './reference';

/** The CRM id of the record that an event is about; null when the event does not name it. */
export type CrmObjectId = (ctx: FlowContext, schema: string | null) => string | null;

/** Where events of the CRM's journal have it. */
const usual = ['$.payload.object.id', '$.payload.objectId'].map((path) => compileReference(path));

/**
 * Compiles where an entity's CRM id stands in an event: at `identity_source_path` of the schema that is asked for, else of `crm`,
 * else where events of the CRM have it.
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

/** Ids are texts; a blank one is none. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
