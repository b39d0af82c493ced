const actions = 'packages/actions/src';
const model = 'packages/config-model/src';
const dryRun = 'packages/flow-run/src/dry-run';
const writer = 'packages/crm-writer/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'actions: a bulk action runs in version 3.0', file: `${model}/checks/check-flows.ts`, find: "describedAction(step.action)?.min_version !== '3.1'", replace: "describedAction(step.action)?.name !== 'plugin'", notice: unit('config-model/src/checks/check-flows') },
  { name: 'actions: any target is a destination', file: `${model}/checks/check-publishable.ts`, find: "target === 'crm' || declared.has(target)", replace: "target !== 'nobody'", notice: unit('check-publishable') },
  { name: 'actions: a REST delete names no record', file: `${actions}/delete/delete.action.ts`, find: 'url.includes(idPlace)', replace: "url.includes('/')", notice: unit('check-step') },
  { name: 'actions: exported rows come from anywhere', file: `${actions}/export-file/export-file.action.ts`, find: 'steps.some((other) => other?.id === named)', replace: "named !== ''", notice: unit('check-step') },
  { name: 'actions: an allowlist is checked against the wrong schema', file: `${actions}/shared/destination-schema.ts`, find: "schemas.includes(target)) return target;", replace: "schemas.includes(target)) return 'crm';", notice: unit('check-step') },
  { name: 'findings: a field of another action is unknown', file: `${model}/findings/step-field-findings.ts`, find: 'const others = readers.get(key);', replace: 'const others = readers.get(`${key} `);', notice: unit('document-findings') },
  { name: 'findings: wildcards never overlap', file: `${model}/findings/flow-findings.ts`, find: 'const wider = wildcards.get(prefix.slice(0, end));', replace: 'const wider = wildcards.get(prefix.slice(0, 0));', notice: unit('document-findings') },
  { name: 'findings: a delete event of the journal is taken to contain its object', file: `${model}/findings/rest-delete-findings.ts`, find: "flow.event_type.endsWith('.delete')", replace: "flow.event_type.endsWith('.deleted')", notice: unit('document-findings') },
  { name: 'findings: the journal is taken to contain every property', file: `${model}/findings/enrichment-findings.ts`, find: '.filter((property) => !named.has(property))', replace: '.filter((property) => !named.has(property) && false)', notice: unit('document-findings') },
  { name: 'transform: $.canonical is never set', file: `${actions}/transform/transform.action.ts`, find: "config.to_schema === 'canonical' ?", replace: "config.to_schema === '' ?", notice: unit('actions/src/transform') },
  { name: 'dry run: an association of unknown records is ok', file: `${dryRun}/stub-records.ts`, find: 'if (missing) this.notes.cannotVerify(', replace: 'if (!missing) this.notes.cannotVerify(', notice: unit('stub-records') },
  { name: 'dry run: a failing destination is not noticed', file: `${dryRun}/stub-targets.ts`, find: 'if (status >= 300) return targetFailure', replace: 'if (status >= 900) return targetFailure', notice: unit('stub-targets') },
  { name: 'dry run: an action is not run', file: `${dryRun}/dry-run-flow.ts`, find: "(name === 'plugin' ? null : findAction(name))", replace: "(name === 'plugin' || name === 'notify' ? null : findAction(name))", notice: unit('dry-run-flow') },
  { name: 'dry run: a deleted record is still there', file: `${dryRun}/stub-records.ts`, find: 'else this.written.splice(this.written.indexOf(known), 1);', replace: '', notice: unit('stub-records') },
  { name: 'dry run: an update by id finds a record of another type', file: `${dryRun}/stub-records.ts`, find: ' && record.target.objectType === objectType);', replace: ');', notice: unit('dry-run-requests') },
  { name: 'dry run: a saved mapping is not seen', file: `${dryRun}/stub-identities.ts`, find: 'this.mappings.set(keyOf(mapping), mapping.externalId);', replace: '', notice: unit('stub-targets') },
  { name: 'dry run: a path may leave its base', file: `${dryRun}/stub-targets.ts`, find: 'if (url === null || !URL.canParse(url))', replace: 'if (url === undefined)', notice: unit('stub-targets') },
  { name: 'dry run: every record is assumed to exist', file: `${dryRun}/stub-records.ts`, find: 'if (!this.known(write)) this.notes.flag(', replace: 'if (write) this.notes.flag(', notice: unit('stub-records') },
  { name: 'dry run: an event of any type matches the flow', file: `${dryRun}/dry-run-flow.ts`, find: "match.kind !== 'none' && match.flow === flow", replace: 'match !== null', notice: unit('dry-run-flow') },
  { name: 'update: a deleted record keeps its mapping', file: `${writer}/writing/decide-upsert.ts`, find: "if (state.mode === 'update') return updateFound(state);", replace: "if (state.mode === 'update') return skipped(null, 'target_deleted');", notice: unit('crm-writer.test') },
  { name: 'query: only the first page is read', file: `${writer}/finding/query-records.ts`, find: 'if (next === null || results.length === 0 || rows.length >= limit)', replace: 'if (next !== undefined)', notice: unit('crm-writer.test') },
  { name: 'query: a condition without a value is left out', file: `${actions}/query/query.action.ts`, find: 'return usable.length === group.length ? [usable] : [];', replace: 'return [usable];', notice: unit('examples.test') },
  { name: 'update_by_id: nothing clears a property', file: `${actions}/compile-fields.ts`, find: '.filter(([, found]) => found !== undefined)', replace: '.filter(([, found]) => found !== 0)', notice: unit('update-by-id') },
  {
    name: 'update_by_id: an older event overwrites a newer write', file: `${writer}/state/latest-writes.ts`,
    find: 'reads.ask({ portalId: unit.binding.portalId, objectType, crmId, position: unit.position }),', replace: 'false,',
    notice: { project: 'integration', pattern: 'newer-writes' },
  },
  { name: 'writer: several requests of one unit wait for each other for ever', file: `${writer}/unit-records.ts`, find: 'if (this.underWay > 0) this.parts.activity.enter();', replace: '', notice: unit('crm-writer.test') },
];
