import {
  permanent,
  projectRecord,
  type CompiledEntity,
  type EntityLookup,
  type FlowContext,
  type Outcome,
  type StepFailure,
  type StepItem,
  type StepTouches,
} from '@sluice/flow-engine';
import type { CallResult, RecordWrite, RecordWriteResult } from '@sluice/ports';
import type { ResolvedFields } from '../field-types';
import type { bulkFields } from './bulk-fields';
import { concludeItems, countItems } from './conclude-items';
import type { fieldsField } from './fields-allowlist';
import { runItems, type ItemEnd, type PlannedItem } from './run-items';
import { crmEntity, recordKeys } from './record-targets';
import { missingIdentity, writeOf } from './write-record';

/** The fields of a bulk action that writes the projection of an entity. */
type BulkWriteFields = ResolvedFields<{
  type: 'object';
  required: ['target', 'entity', 'items'];
  properties: typeof bulkFields & { fields: typeof fieldsField };
}>;

interface BulkWrite {
  action: string;
  config: BulkWriteFields;
  entities: EntityLookup;
  ctx: FlowContext;
  ended: readonly StepItem[] | undefined;
  write(record: RecordWrite): Promise<CallResult<RecordWriteResult>>;
}

/** The cost of an item in the work budget of its event, beside its expressions: a write, its outcome, its row. */
export const workPerItem = 50;

/** For lists up to this length the touched records are known before the run; an event with a longer list runs in no convoy. */
export const mostForetold = 200;

/** Writes the projection of an entity for each element of a list. All are projected first: over the budget nothing is written. */
export async function bulkWrite({ action, config, entities, ctx, ended, write }: BulkWrite): Promise<Outcome> {
  if (config.target !== 'crm') return permanent('target_not_crm', `${action} writes to the CRM only`);
  const found = crmEntity(entities, config.entity);
  if (!found.ok) return found.outcome;
  const planned = (config.items ?? []).map((element, index) => plan(found.entity, ctx, config, { element, index }, write));
  const items = await runItems(planned, ended);
  return concludeItems(items, bulkOutput(items));
}

/** The output of a bulk write, by decisions over its items. */
export function bulkOutput(items: readonly StepItem[]): Record<string, unknown> {
  const results = items.map(({ external_id, crm_id, status, reason, failure }) => ({
    external_id,
    crm_id,
    status,
    error: failure?.message ?? null,
    reason: reason ?? failure?.code ?? null,
  }));
  return { total: items.length, ...countItems(items), results };
}

/** The records of a short list; null when they depend on more than the event, or the list is long. */
export function touchesOfBulk(config: BulkWriteFields, entities: EntityLookup, ctx: FlowContext): StepTouches | null {
  const entity = entities.get(config.entity);
  const list = config.items ?? [];
  if (!entity) return { writes: [], reads: [] };
  if (!entity.identityFromEvent || list.length > mostForetold) return null;
  const writes = list.flatMap((element) => {
    const identified = entity.identify(itemContext(ctx, element));
    return identified.ok ? recordKeys(identified.target) : [];
  });
  return { writes, reads: [] };
}

/** The context of an element: it replaces the payload. The external id of the event does not apply to it. */
export const itemContext = (ctx: FlowContext, element: unknown): FlowContext => ({
  ...ctx,
  payload: element,
  item: element,
  own_entity: null,
});

/** The result of one item's write. */
export function endOf(answer: CallResult<RecordWriteResult>): ItemEnd {
  if (!answer.ok) return endOfFailure(answer);
  const { crm_id, skipped, reason } = answer.value;
  return { status: skipped ? 'skipped' : 'succeeded', crm_id, reason, failure: null };
}

/** A failure that another attempt may resolve leaves its item open. */
export function endOfFailure({ kind, code, message, retryAfterMs, stepsAside }: StepFailure): ItemEnd {
  const failure: StepFailure = {
    kind,
    code,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(stepsAside !== undefined && { stepsAside }),
  };
  return { status: kind === 'permanent' ? 'failed' : 'open', crm_id: null, reason: null, failure };
}

function plan(
  entity: CompiledEntity,
  ctx: FlowContext,
  { fields, chunk_size: chunkSize }: BulkWriteFields,
  { element, index }: { element: unknown; index: number },
  write: BulkWrite['write'],
): PlannedItem {
  ctx.budget.work(workPerItem);
  const inner = itemContext(ctx, element);
  const projected = projectRecord(entity, inner, fields);
  if (!projected.ok) {
    const identified = entity.identify(inner);
    const externalId = identified.ok ? identified.target.externalId : null;
    return unasked(openItem(entity.name, index, externalId), { kind: 'permanent', ...projected });
  }
  const { target } = projected;
  const missing = missingIdentity(entity, target);
  const item = openItem(entity.name, index, target.externalId);
  if (missing !== null) return unasked(item, { kind: 'permanent', code: 'identity_missing', message: missing });
  const record = writeOf(entity, projected, inner, { chunkSize });
  return {
    item,
    record: (target.identityValue ?? target.externalId)?.trim().toLowerCase() ?? null,
    ask: async () => endOf(await write(record)),
  };
}

/** An item without a result yet. */
export const openItem = (entity: string, index: number, externalId: string | null, key = externalId ?? ''): StepItem => ({
  index,
  key,
  entity,
  external_id: externalId,
  crm_id: null,
  status: 'open',
  reason: null,
  failure: null,
});

/** An item that fails before any call. */
const unasked = (item: StepItem, failure: StepFailure): PlannedItem => ({
  item: { ...item, ...endOfFailure(failure) },
  record: null,
  ask: null,
});
