/** Ways to break the bounds on the costly work of requests that a test must notice. */
const threads = 'packages/work-threads/src';
const work = 'services/config-api/src/work';
const verify = 'packages/event-verify/src';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });
const pool = integration('work-threads.integration');

export default [
  { name: 'work threads: a job has no time limit', file: `${threads}/work-thread.ts`, find: "createAllowance(timeLimitMs, () => giveUp({ outcome: 'too_complex' }))", replace: "createAllowance(timeLimitMs * 1e4, () => giveUp({ outcome: 'too_complex' }))", notice: pool },
  { name: 'work threads: the time of a job stands still for good once it asked for something', file: `${threads}/work-thread.ts`, find: 'if (job.open === 0) job.allowance.resume();', replace: '', notice: pool },
  { name: 'work threads: waiting for an answer counts as work', file: `${threads}/work-thread.ts`, find: '  job.allowance.pause();\n', replace: '', notice: pool },
  { name: 'work threads: time that ended begins again', file: `${threads}/allowance.ts`, find: 'if (timer || ended) return;', replace: 'if (timer) return;', notice: unit('work-threads/src/allowance') },
  { name: 'work threads: an answer that failed is an unexpected error', file: `${threads}/work-thread.ts`, find: 'if (ask !== null && failures.has(ask)) return failures.get(ask);', replace: '', notice: pool },
  { name: 'work threads: one organization takes every thread', file: `${threads}/fair-queue.ts`, find: 'if (group.busy) continue;', replace: '', notice: unit('fair-queue') },
  { name: 'work threads: an organization may queue without end', file: `${threads}/fair-queue.ts`, find: "return 'group_full';", replace: "void 'group_full';", notice: unit('fair-queue') },
  { name: 'work threads: another thread is started than the first job takes', file: `${threads}/create-work-threads.ts`, find: 'idle.at(-1)?.start()', replace: 'threads[0]?.start()', notice: pool },
  { name: 'work threads: the budget of an organization is never used up', file: `${threads}/create-work-threads.ts`, find: 'spend: (group, ms) => buckets.take(group, ms),', replace: 'spend: () => undefined,', notice: pool },
  { name: 'work threads: what was queued in advance exceeds the budget', file: `${threads}/create-work-threads.ts`, find: 'stopped ? undefined : budget.refusal(next.group)', replace: 'undefined as Error | undefined', notice: pool },
  { name: 'work threads: the size of what a job is given does not count', file: `${threads}/create-work-threads.ts`, find: ' + bytes / bytesPerMs', replace: '', notice: pool },
  { name: 'dry run: it runs on the event loop', file: `${work}/create-config-work.ts`, find: 'walks.has(name) && given.bytes', replace: "(name === 'dry_run' || walks.has(name)) && given.bytes", notice: integration('work/config-work') },
  { name: 'work of config-api: documents of any size are walked on the event loop', file: `${work}/create-config-work.ts`, find: 'given.bytes <= smallBytes', replace: 'given.bytes > 0', notice: integration('work/heavy-routes') },
  { name: 'work of config-api: small documents wait for a thread', file: `${work}/create-config-work.ts`, find: 'given.bytes <= smallBytes', replace: 'given.bytes < 0', notice: integration('work/config-work') },
  { name: 'dry run: an answer has any size', file: `${work}/jobs/dry-run.ts`, find: 'answer.length > maxAnswerLength', replace: 'answer.length < 0', notice: integration('dry-run.integration') },
  { name: 'work threads: waiting for an answer uses up the budget', file: `${threads}/allowance.ts`, find: 'ms - left + (timer', replace: 'ms + (timer', notice: unit('work-threads/src/allowance') },
  { name: 'verify: the size of a payload does not count', file: `${verify}/verify-units.ts`, find: 'threads.spend(organization, payload.length);', replace: '', notice: unit('event-verify/src/verify-units') },
  { name: 'verify: records are not counted as reads', file: 'services/ingest-api/src/routes/get-event-verify.ts', find: 'for (const _unit of units) budget.countRead(organization_id);', replace: '', notice: unit('get-event-verify') },
  { name: 'verify: a request that nobody answers stays', file: `${verify}/create-ask-verify.ts`, find: 'await Promise.all([requests.remove(id), tasks.remove([{ worker: verifyKind, key: id }])]).catch(() => undefined);', replace: '', notice: unit('create-ask-verify') },
  { name: 'verify: a refusal is an answer without records', file: `${verify}/create-ask-verify.ts`, find: "throw new HttpError(answer.refused.status, answer.refused.detail, answer.refused.headers);", replace: 'return [];', notice: unit('create-ask-verify') },
  { name: 'verify: any number of requests wait', file: `${verify}/create-ask-verify.ts`, find: 'if (waiting >= mostWaiting) throw unavailable();', replace: '', notice: unit('create-ask-verify') },
  { name: 'verify: a later answer replaces the first one', file: 'packages/adapters/store-postgres/src/requests/create-service-request-store.ts', find: 'UPDATE service_requests SET answer = $2 WHERE id = $1 AND answer IS NULL', replace: 'UPDATE service_requests SET answer = $2 WHERE id = $1', notice: { project: 'integration', pattern: 'service-requests' } },
  { name: 'verify: an event that takes too long is an error', file: `${verify}/verify-units.ts`, find: 'if (!isTooComplex(error)) throw error;', replace: 'throw error;', notice: unit('event-verify/src/verify-units') },
  { name: 'verify: a portal that hangs keeps a thread', file: `${verify}/patient-reader.ts`, find: 'Promise.race([read(...args), late()])', replace: 'Promise.race([read(...args)])', notice: unit('event-verify/src/patient-reader') },
  { name: 'records: what reading a large payload costs does not count', file: 'services/config-api/src/work/document-reply.ts', find: 'work.spend(organizationId, body.length);', replace: '', notice: unit('work/document-reply') },
  { name: 'records: a large payload is read over the budget', file: 'services/config-api/src/work/document-reply.ts', find: 'work.assertBudget(organizationId);', replace: '', notice: unit('work/document-reply') },
  { name: 'documents: one is sent again to whoever has it', file: 'packages/service-kit/src/http/routes/prepared-document.ts', find: 'if (isKnown(', replace: 'if (false && isKnown(', notice: unit('prepared-document') },
  { name: 'documents: both encodings have one tag', file: 'packages/service-kit/src/http/routes/prepared-document.ts', find: '`"${hash}-gzip"`', replace: '`"${hash}"`', notice: unit('prepared-document') },
  { name: 'documents: one is sent packed to whoever does not take that', file: 'packages/service-kit/src/http/routes/prepared-document.ts', find: "request.acceptsEncodings('gzip', 'identity') === 'gzip'", replace: "(request.acceptsEncodings('gzip', 'identity'), true)", notice: unit('prepared-document') },
];
