/** Mutants of the CRM writer, identities and what a partition takes in. */
const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

export default [
  {
    name: 'provisioning ignores the budget of the portal', file: 'packages/crm-writer/src/session/portal-session.ts',
    find: "if (wait > 0) return failure('transient', 'portal_dry'", replace: "if (wait < 0) return failure('transient', 'portal_dry'",
    notice: unit('provisioning/open-portal'),
  },
  {
    name: 'inputs of one batch share a trace id', file: 'packages/crm-writer/src/calls/record-calls.ts',
    find: 'String(place)', replace: "'0'", notice: unit('crm-writer/src/calls/record-calls'),
  },
  {
    name: 'an expired answer of the CRM still counts as known', file: 'packages/crm-writer/src/shared/ttl-cache.ts',
    find: 'known: (key) => believed(key)?.known', replace: 'known: (key) => entries.get(key)?.known', notice: unit('crm-writer/src/shared/ttl-cache'),
  },
  {
    name: 'a write that concerns no policy is judged by all', file: 'packages/crm-writer/src/policies/write-policy.ts',
    find: 'policies.some((policy) => policy.concerns(subject)) ? judge(subject) : asItIs(subject)', replace: 'judge(subject)',
    notice: unit('crm-writer/src/policies/write-policy'),
  },
  {
    name: 'a transient failure of a refresh is reported as a refused token', file: 'packages/crm-writer/src/session/portal-session.ts',
    find: "if (answer.kind === 'transient') throw new RefreshPostponed(answer.message);", replace: '',
    notice: unit('provisioning/open-portal'),
  },
  {
    name: 'events in flight are not found by their aliases', file: `${runner}/intake/unfinished-units.ts`,
    find: 'ids.has(keyText) || otherIds.has(keyText)', replace: 'ids.has(keyText)', notice: unit('partition-intake'),
  },
  {
    name: 'an incoming event\'s aliases are not looked for among those in hand', file: `${runner}/intake/unfinished-units.ts`,
    find: ' || (aliases?.some((alias) => ids.has(textOf(key, alias))) ?? false)', replace: '', notice: unit('partition-intake'),
  },
  {
    name: 'an alias of two events in flight is forgotten with the first', file: `${runner}/intake/unfinished-units.ts`,
    find: 'if (left > 0) counts.set(text, left);', replace: 'if (by > 0) counts.set(text, left);', notice: unit('partition-intake'),
  },
  {
    name: 'intake looks up finished units without their aliases', file: `${runner}/intake/partition-intake.ts`,
    find: 'run, acceptedAt, aliases,', replace: 'run, acceptedAt,', notice: unit('partition-intake'),
  },
  {
    name: 'an id near a day\'s end does not lead to the next day\'s', file: 'packages/event-intake/src/event-id.ts',
    find: '...(nearItsEnd ? [day + dayMs] : [])', replace: '', notice: unit('event-id|idempotency'),
  },
  {
    name: 'status does not look at the other ids of an event', file: 'services/ingest-api/src/status/read-event-progress.ts',
    find: 'view.index?.aliases ?? []', replace: '[]', notice: unit('idempotency'),
  },
  {
    name: 'an id has no aliases by the other listed keys', file: 'packages/event-intake/src/event-id.ts',
    find: 'new Set(keys.flatMap(', replace: 'new Set(keys.slice(0, 1).flatMap(', notice: unit('event-intake/src/key-rotation'),
  },
  {
    name: 'a key that is listed twice gives aliases twice', file: 'packages/event-intake/src/event-id.ts',
    find: 'new Set(keys.flatMap(({ secret, mac }) => {', replace: '(keys.flatMap(({ secret, mac }) => {',
    notice: unit('event-intake/src/key-rotation'),
  },
  {
    name: 'the index names the other ids of one message of an event only', file: 'packages/adapters/store-postgres/src/event-index/view-event.ts',
    find: 'FROM entries) AS aliases', replace: 'FROM (SELECT * FROM entries LIMIT 1) one) AS aliases', notice: integration('run-stores'),
  },
  {
    name: 'finished units are looked for up to one minute ahead only', file: 'packages/adapters/store-postgres/src/run/finished.ts',
    find: 'new Date(until + toleratedClockSkewMs)', replace: 'new Date(until + 60_000)', notice: integration('run-stores'),
  },
  {
    name: 'the names of stored payloads do not depend on their content', file: 'packages/event-intake/src/publish-units.ts',
    find: "${index}-${hash('sha256', bytes, 'hex')}.json", replace: '${index}.json', notice: unit('idempotency'),
  },
  {
    name: 'when no unit is active, every coalescer that was ever used is called', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: 'if (left.length === 0) this.options.activity.offQuiet(this.poke);', replace: '', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'idle coalescers are kept for ever', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: 'if (this.queue.length === 0 && this.running.live + this.running.lower === 0) options.onIdle?.();', replace: '', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'a coalescer is dropped while it has work', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: 'if (this.queue.length === 0 && this.running.live + this.running.lower === 0) options.onIdle?.();', replace: 'if (this.queue.length === 0) options.onIdle?.();', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'a dropped coalescer drops its successor', file: 'packages/crm-writer/src/batching/coalescer-family.ts',
    find: 'if (members.get(name) === member) members.delete(name);', replace: 'members.delete(name);', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'claims left pending are kept for ever', file: 'packages/adapters/store-postgres/src/event-index/maintain.ts',
    find: "['done_at < $1', 'done_at IS NULL AND claimed_at < $1']", replace: "['done_at < $1']", notice: integration('event-index/maintain'),
  },
  {
    name: 'the record that the CRM names as the holder is taken for the entity\'s own', file: 'packages/crm-writer/src/writing/value-holder.ts',
    find: 'if (holder.value && fold(holder.value.properties[identityProperty]) === fold(identityValue))', replace: 'if (holder.value)', notice: integration('unique-value-holder'),
  },
  {
    name: 'a taken value is tried again', file: 'packages/crm-writer/src/writing/value-holder.ts',
    find: 'kind: \'permanent\',\n    code: \'crm_value_taken\'', replace: "kind: 'transient', code: 'crm_value_taken'", notice: integration('unique-value-holder'),
  },
  {
    name: 'a holder that the search does not show yet is not read', file: 'packages/crm-writer/src/writing/value-holder.ts',
    find: 'if (refusal.holderId !== undefined) {', replace: 'if (refusal.holderId === null) {', notice: integration('unique-value-holder'),
  },
  {
    name: 'a known record whose value is taken is not looked up', file: 'packages/crm-writer/src/writing/decide-upsert.ts',
    find: "if (tried.how === 'update' && tried.lead === 'own')", replace: "if (tried.how === 'update')", notice: integration('unique-value-holder'),
  },
  {
    name: 'a create refused for a taken value leaves no claim of the record found', file: 'packages/crm-writer/src/writing/decide-upsert.ts',
    find: 'return update(state.own, \'own\', ...done);', replace: 'return update(state.own, \'own\');', notice: integration('unique-value-holder'),
  },
  {
    name: 'the CRM adapter does not report who holds a value (whole answers)', file: 'packages/adapters/crm-http/src/classify.ts',
    find: "status === 409 || status === 400 ? uniqueValueHolder(message) : undefined", replace: 'undefined', notice: unit('crm-http/src/classify'),
  },
  {
    name: 'the CRM adapter does not report who holds a value (entries of a batch)', file: 'packages/adapters/crm-http/src/batch-answer.ts',
    find: '...(holderId === undefined ? {} : { holderId }),', replace: '', notice: unit('crm-http/src/batch-answer'),
  },
  {
    name: 'an event ends while a write of it may still land', file: `${runner}/units/verdicts/late-write.ts`,
    find: "if (verdict.kind !== 'rows' || unit.mayLandUntil <= now) return verdict;", replace: "if (verdict.kind !== 'later') return verdict;", notice: integration('late-write'),
  },
  {
    name: 'an event that has ended is run again', file: `${runner}/processing/unit-processor.ts`,
    find: 'if (rows) return conclude', replace: 'if (rows === undefined) return conclude', notice: unit('unit-processor'),
  },
  {
    name: 'a write that timed out is taken for one that cannot land', file: 'packages/crm-writer/src/session/portal-session.ts',
    find: "(answer.status === 0 && answer.code !== 'crm_not_reached') || ", replace: '', notice: unit('portal-session'),
  },
  {
    name: 'a call that was never sent keeps its lane', file: 'packages/crm-writer/src/session/portal-session.ts',
    find: "(answer.status === 0 && answer.code !== 'crm_not_reached')", replace: 'answer.status === 0', notice: unit('portal-session'),
  },
  {
    name: 'the time until which a write may land is forgotten with its attempt', file: `${runner}/units/unit.ts`,
    find: 'mayLandUntil: held.mayLandUntil ?? 0', replace: 'mayLandUntil: 0', notice: integration('late-write'),
  },
  {
    name: 'a later time of landing is not stored', file: `${runner}/processing/unit-processor.ts`,
    find: 'before.mayLandUntil === held.mayLandUntil && ', replace: '', notice: unit('unit-processor'),
  },
  {
    name: 'an event steps aside while a write of it may still land', file: `${runner}/units/verdicts/verdict.ts`,
    find: 'letsPassTooSoon(unit, scope, now) ? inItsLane(unit, held) : held', replace: 'held', notice: unit('late-write'),
  },
  {
    name: 'the rows of an ended event are not stored', file: 'packages/adapters/store-postgres/src/run/settle/settle-held.ts',
    find: "  'ending',\n];", replace: '];', notice: integration('run-stores'),
  },
  {
    name: 'a claim counts as abandoned before its create can have landed', file: 'services/flow-runner/src/timing.ts',
    find: 'Math.max(claimMarginMs, landsWithinMs)', replace: 'claimMarginMs', notice: unit('flow-runner/src/timing'),
  },
  {
    name: 'a runner starts with contradictory times in its settings', file: 'services/flow-runner/src/timing.ts',
    find: 'if (problems.length > 0) throw', replace: 'if (problems.length > 9) throw', notice: unit('flow-runner/src/timing'),
  },
  {
    name: 'a refused connection counts as a lost answer', file: 'packages/adapters/crm-http/src/wire-call.ts',
    find: "isUnsent(error) ? 'crm_not_reached' : 'crm_unreachable'", replace: "'crm_unreachable'", notice: integration('crm-http-client'),
  },
  {
    name: 'what this process wrote and has not settled does not count', file: 'packages/crm-writer/src/state/latest-writes.ts',
    find: 'outdated(unit, { objectType, crmId }) ||\n      reads.ask', replace: 'reads.ask', notice: unit('crm-writer/src/state/latest-writes'),
  },
  {
    name: 'landed writes are remembered without a bound', file: 'packages/crm-writer/src/state/latest-writes.ts',
    find: 'createBoundedCache<AcceptPosition>(remembered)', replace: 'createBoundedCache<AcceptPosition>(remembered * 1_000)', notice: unit('crm-writer/src/state/latest-writes'),
  },
  {
    name: 'a guarded update is sent although a newer write landed while it waited', file: 'packages/crm-writer/src/policies/stale-guard.ts',
    find: 'landed.outdated(unit, record) || ', replace: '', notice: unit('crm-writer/src/writing/upsert-record'),
  },
  {
    name: 'a guarded event does not check what landed on its record', file: 'packages/crm-writer/src/policies/stale-guard.ts',
    find: 'await landed.superseded(unit, objectType, crmId)', replace: 'false as boolean', notice: integration('newer-writes'),
  },
  {
    name: 'a guarded upsert does not check which record it would update', file: 'packages/crm-writer/src/writing/decide-upsert.ts',
    find: '(state.guarded || isInDoubt(state)) && state.found', replace: 'isInDoubt(state) && state.found', notice: integration('newer-writes'),
  },
  {
    name: 'contact and contacts are two object types', file: 'packages/crm-writer/src/shared/object-type.ts',
    find: 'otherNames[given.toLowerCase()] ?? given', replace: 'given', notice: integration('newer-writes'),
  },
  {
    name: 'positions of two logs are compared by offset', file: 'packages/ports/src/run-store/accept-position.ts',
    find: ' && Math.abs(laterByMs) <= oneLogWithinMs', replace: '', notice: unit('accept-position'),
  },
  {
    name: 'two replays of one moment have one position', file: 'packages/ports/src/run-store/accept-position.ts',
    find: 'BigInt.asUintN(63, digest.readBigUInt64BE(0))', replace: 'BigInt(Date.parse(acceptedAt) + 0 * digest.length)',
    notice: unit('units/unit'),
  },
  {
    name: 'replays of one moment are ordered by their run', file: 'packages/ports/src/run-store/accept-position.ts',
    find: ' && a.partition !== noPartition', replace: '', notice: unit('units/unit'),
  },
  {
    name: 'the store orders replays of one moment by their run', file: 'packages/adapters/store-postgres/src/run/later-position.ts',
    find: '${a}_partition <> ${noPartition}', replace: '${a}_partition IS NOT NULL AND ${noPartition} < 0',
    notice: integration('run-stores'),
  },
  {
    name: 'what an attempt without a stored outcome left is not stored', file: 'packages/crm-writer/src/writing/create-record.ts',
    find: 'claim && !unit.retried ? made(parts, unit, write, claim, mapping.crmId) : created(mapping.crmId)', replace: 'created(mapping.crmId)',
    notice: unit('crm-writer/src/lost-outcome'),
  },
  {
    name: 'an event takes its own unsettled mapping for that of another', file: 'packages/crm-writer/src/state/mapping-of-event.ts',
    find: '(retried || !effects.mappings.includes(mapping))', replace: 'retried', notice: unit('crm-writer/src/lost-outcome'),
  },
  {
    name: 'a mapping that was removed although its record stays is never saved again', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: 'recordStays || (wrote', replace: '(wrote', notice: unit('crm-writer/src/state/mapping-lookup'),
  },
  {
    name: 'a record that people restored gets no mapping again', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: ' || (wrote && removalsSeen >= nth)', replace: '', notice: unit('crm-writer/src/state/mapping-lookup'),
  },
  {
    name: 'a late answer sets a mapping to a deleted record again', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: 'if (removal && !isThere(removal, unit, wrote)) return;', replace: '', notice: unit('crm-writer/src/state/mapping-lookup'),
  },
  {
    name: 'a runner trusts mappings from before another owned the partition', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: '(ownedSince === undefined || at > ownedSince)', replace: '(ownedSince === undefined || at >= -1)',
    notice: unit('crm-writer/src/state/mapping-lookup'),
  },
  {
    name: 'an attempt does not carry the time since when its partition is owned', file: 'services/flow-runner/src/runner/create-processing.ts',
    find: 'ownedSince: (unit) => leases.since(unit.lease),', replace: 'ownedSince: (unit) => (leases.since(unit.lease) ?? 0) * 0 - 1,',
    notice: integration('moved-back'),
  },
  {
    name: 'a remembered mapping counts where the store has none', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: '(read?.crmId !== own.crmId && (await wasRemoved(key, own)))', replace: 'false as boolean',
    notice: unit('crm-writer/src/state/mapping-lookup'),
  },
  {
    name: 'an association trusts a mapping to a deleted record', file: 'packages/crm-writer/src/associations/associate-records.ts',
    find: "if (refused.ok || refused.kind !== 'permanent') return refused;",
    replace: 'if (refused) return refused;', notice: integration('associate-records'),
  },
  {
    name: 'an association does not wait for a record that will be created again', file: 'packages/crm-writer/src/finding/present-record.ts',
    find: "target.onTargetDeleted === 'recreate' ? notYet(target) : deletedForGood(target)",
    replace: 'deletedForGood(target)', notice: integration('associate-records'),
  },
  {
    name: 'writer: events that name one new record do not wait for each other', file: 'packages/crm-writer/src/state/identity-claims.ts',
    find: 'alone: (key, work) => oneAtATime(keyText(key), work)', replace: 'alone: (_key, work) => work()',
    notice: integration('writing/one-value-at-a-time'),
  },
  {
    name: 'conflicts: an own write counts as an edit of somebody else', file: 'packages/crm-writer/src/policies/arbitrate.ts',
    find: '|| isOwn(change, tokenApp) ', replace: '', notice: unit('crm-writer/src/policies/arbitrate'),
  },
  {
    name: 'conflicts: per_property_freshness is ignored', file: 'packages/crm-writer/src/policies/arbitrate.ts',
    find: 'policy.perProperty ? changedAt : newest', replace: 'newest', notice: unit('crm-writer/src/policies/arbitrate'),
  },
  {
    name: 'conflicts: a property that the target wins is written', file: 'packages/crm-writer/src/policies/conflict-policy.ts',
    find: "filter(([name]) => !lost.has(name))", replace: "filter(([name]) => !lost.has(`${name}?`))", notice: integration('writing/conflicts'),
  },
  {
    name: 'policies: each property set has a separate read', file: 'packages/crm-writer/src/policies/crm-record-reads.ts',
    find: 'JSON.stringify([ask.record.objectType, propertyOf(ask.record)])',
    replace: 'JSON.stringify([ask.record.objectType, propertyOf(ask.record), ...ask.properties])', notice: integration('writing/conflicts'),
  },
  {
    name: 'an upsert with nothing left to write does not count as its write', file: 'packages/crm-writer/src/writing/decide-upsert.ts',
    find: "crmId === null || reason === 'superseded' ? [] :", replace: "crmId !== '' ? [] :", notice: integration('writing/conflicts'),
  },
  {
    name: 'echoes: an event meets its own fingerprint', file: 'packages/crm-writer/src/state/fingerprints.ts',
    find: ' || latest.eventId === eventId', replace: '', notice: unit('crm-writer/src/state/fingerprints'),
  },
  {
    name: 'echoes: a former fingerprint stays after another write', file: 'packages/crm-writer/src/state/fingerprints.ts',
    find: 'if (left.length < entries.length) await save', replace: 'if (left.length < 0) await save',
    notice: unit('crm-writer/src/state/fingerprints'),
  },
  {
    name: 'echoes: an additional value makes no difference', file: 'packages/crm-writer/src/state/fingerprints.ts',
    find: 'entries.every(', replace: 'entries.some(', notice: unit('crm-writer/src/state/fingerprints'),
  },
  {
    name: 'echoes: a write fails without the key-value store', file: 'packages/crm-writer/src/state/fingerprints.ts',
    find: 'if (error instanceof KeyValueUnavailable) return otherwise;', replace: '', notice: unit('crm-writer/src/state/fingerprints'),
  },
];
