import {
  type CompiledMapping,
  compilePath,
  done,
  type EntityLookup,
  ExpressionError,
  failed,
  type FlowContext,
  mappingReads,
  type Outcome,
  parsePath,
  recordReads,
  type Reference,
} from '@sluice/flow-engine';
import type { CarriedRecord, TargetFailure } from '@sluice/ports';
import type { StepRule } from '../action-definition';
import { defineAction } from '../define-action';
import { fieldsAllowlist } from '../shared/fields-allowlist';
import { canonicalContact, shopContact } from '../shared/order-examples';
import { stepHeaders } from '../shared/step-headers';
import { externalIdIn, plannedMapping } from './answer-mapping';
import { carriedRecord } from './carried-record';
import { postBody, projectionFor } from './post-body';
import { charactersLimit, urlLimit } from '../shared/shared-limits';
import { postSchema, type PostFields } from './post-fields';

const answerPathIsAPath: StepRule = {
  fields: ['external_id_from'],
  message: 'external_id_from must be a JSONPath in the answer, such as $.data.id',
  find: ({ step: { external_id_from: path } }) => {
    if (typeof path !== 'string') return [];
    try {
      compilePath(parsePath(path));
      return [];
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return [{ path: ['external_id_from'], type: `${error.code}_invalid`, msg: error.message, input: path }];
    }
  },
};

/** Calls a REST destination (docs/reference/steps-and-actions.md, post). */
export const post = defineAction(postSchema)({
  name: 'post',
  title: 'Post',
  description: 'Sends a request to a REST destination, with a given body or with the projection of an entity.',
  category: 'external',
  min_version: '3.0',
  effect: 'write',
  // A GET changes nothing outside: a flow that only reads has not written.
  effectOf: ({ method }) => (method === 'GET' ? 'read' : 'write'),
  uses: ['rest', 'identities'],
  on_repeat: 'Sends the request again with the same Idempotency-Key.',
  repeat: 'again',
  required_checks: [
    { fields: ['target', 'url'], message: 'post requires target and url', mode: 'all', equals: null },
    { fields: ['target'], message: "post calls a REST destination: use upsert for 'crm'", mode: 'not_equals', equals: 'crm' },
    { fields: ['external_id_from', 'entity'], message: 'external_id_from requires entity', mode: 'requires', equals: null },
    { fields: ['fields', 'entity'], message: 'fields requires entity', mode: 'requires', equals: null },
  ],
  limits: [urlLimit, charactersLimit('external_id_from', 2048)],
  rules: [answerPathIsAPath, fieldsAllowlist({ identityRequired: false, schema: 'destination' })],
  examples: [
    {
      title: 'A contact to the ERP, as its schema says',
      config: { target: 'erp', url: '/customers', entity: 'contact' },
      given: {
        entities: [shopContact],
        payload: { object: { id: '501', properties: { email: 'ada@example.com', firstname: 'Ada' } } },
        answers: [{ status: 201, body: { id: 'c-17' } }],
      },
      expect: { kind: 'done', output: { status: 201, body: { id: 'c-17' }, external_id: null } },
      requests: [
        { target: 'erp', method: 'POST', url: '/customers', body: { mail_address: 'ada@example.com', first_name: 'Ada' } },
      ],
    },
    {
      title: 'A given body',
      config: {
        target: 'erp',
        url: '/orders/{$.payload.id}/paid',
        method: 'PUT',
        body: { paid_at: '$.payload.paid_at', note: 'paid by {$.payload.method}' },
        headers: { 'X-Request': '{$.payload.id}' },
      },
      given: { entities: [], payload: { id: 17, paid_at: '2026-01-01T00:00:00Z', method: 'card' } },
      expect: { kind: 'done', output: { status: 200, body: null } },
      requests: [
        {
          method: 'PUT',
          url: '/orders/17/paid',
          headers: { 'X-Request': '17' },
          body: { paid_at: '2026-01-01T00:00:00Z', note: 'paid by card' },
        },
      ],
    },
    {
      title: 'The id that the ERP gave is kept, so that a later delete finds it',
      config: { target: 'erp', url: '/customers', entity: 'contact', fields: ['mail_address'], external_id_from: '$.data.id' },
      given: {
        entities: [shopContact],
        payload: { object: { id: '501', properties: { email: 'ada@example.com', firstname: 'Ada' } } },
        answers: [{ status: 201, body: { data: { id: 17 } } }],
      },
      expect: { kind: 'done', output: { status: 201, external_id: '17' } },
      requests: [{ url: '/customers', body: { mail_address: 'ada@example.com' } }],
    },
    {
      title: 'What the ERP refuses fails for good',
      config: { target: 'erp', url: '/customers', body: { name: '$.payload.name' } },
      given: { entities: [canonicalContact], payload: { name: '' }, answers: [{ status: 422 }] },
      expect: { kind: 'fail', code: 'target_rejected', output: { status: 422 } },
    },
  ],
  // What a request changes at its destination is not known from the event.
  touches: () => null,
  run: async ({ config, entities, ctx, stepId, references, ports: { rest, identities } }) => {
    const planned = plannedMapping(config, entities, ctx, identities);
    if (!planned.ok) return planned.outcome;
    const content = postBody(config, entities, ctx);
    if (!content.ok) return content.outcome;
    const { target, url, method = 'POST' } = config;
    const writes = method !== 'GET';
    const carries = writes ? carriedBy({ config, references, mappings: content.mappings ?? [] }, entities, ctx) : null;
    if (carries?.changed?.length && (await rest.isOutdated?.(carries)) === true) return done(notSent);
    const headers = stepHeaders(config.headers);
    const answer = await rest.send({ target, method, url, headers, body: content.body, stepId, ...(carries && { carries }) });
    if (!answer.ok) return notAccepted(answer, writes);
    const externalId = externalIdIn(answer.value.body, config.external_id_from, ctx);
    if (planned.mapping && externalId !== null) identities.save({ ...planned.mapping, externalId });
    return done({ ...answer.value, external_id: externalId }, { wrote: writes });
  },
});

/** The CRM has newer values, which the journal tells of too. */
const notSent = { status: null, body: null, headers: {}, external_id: null, skipped: true, reason: 'superseded' } as const;

interface SentParts {
  config: Pick<PostFields, 'target' | 'entity'>;
  references: readonly Reference[];
  mappings: readonly CompiledMapping[];
}

/** What the request takes from the event's record, by its fields and by what is projected. */
function carriedBy({ config, references, mappings }: SentParts, entities: EntityLookup, ctx: FlowContext): CarriedRecord | null {
  if (ctx.outbound === null) return null;
  const entity = entities.get(config.entity ?? '');
  const projection = entity && projectionFor(entity, config.target);
  const projected = projection ? mappings.map((mapping) => mappingReads(mapping, projection, entities)) : [];
  const all = [recordReads(references, entities), ...projected];
  return carriedRecord(ctx, entity, all);
}

/** `target_answer_too_large`: the request was accepted, only its answer cannot be read. */
function notAccepted({ ok: _, status, ...failure }: TargetFailure, writes: boolean): Outcome {
  const output = { status: status ?? null, body: null, headers: {}, external_id: null };
  return failed(failure, { output, wrote: writes && failure.code === 'target_answer_too_large' });
}
