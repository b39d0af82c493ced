/** Ways to break the CRM's journal as a source, and its echoes, that a test must notice. */
const journal = 'services/journal-poller/src/journal';
const reading = { project: 'integration', pattern: 'journal-poller/src/journal/journal' };
const folders = { project: 'integration', pattern: 'journal-poller/src/files/watched-folders' };
const places = { project: 'integration', pattern: 'store-postgres/src/sources' };
const unit = (pattern) => ({ project: 'unit', pattern });
const echoes = unit('crm-writer/src/policies/journal-echo');

export default [
  { name: 'journal: the position moves before a file is in the log', file: `${journal}/read-journal.ts`, find: '      await takeFile(deps, context, entry, byPortal);\n', replace: '      void takeFile(deps, context, entry, new Map());\n', notice: reading },
  { name: 'journal: a lost place is read from the beginning for ever', file: `${journal}/read-journal.ts`, find: "    if (entries === 'expired') {", replace: "    if (entries === 'expired' && position === null) {", notice: reading },
  { name: 'journal: the loser of a merge stays', file: `${journal}/changes-of.ts`, find: 'return [...losers, {', replace: 'return [{', notice: reading },
  { name: 'journal: every portal is told everything', file: `${journal}/read-journal.ts`, find: 'if (!byPortal.has(event.portalId)) return;', replace: 'if (byPortal.size === 0) return;', notice: reading },
  { name: 'journal: the properties of a trigger make no difference', file: 'packages/sources/src/crm/journal-source.ts', find: "action !== 'update' || !trigger.properties?.length ||", replace: "action !== 'update' || trigger.properties?.length ||", notice: reading },
  { name: 'journal: records are not read along', file: 'packages/sources/src/crm/journal-source.ts', find: '{ ...values, ...read }', replace: '{ ...values }', notice: reading },
  { name: 'journal: changes of a suspended organization are lost', file: 'packages/event-intake/src/intake-rule.ts', find: "journal: { keptWhile: ['paused', 'organization_stopped', ", replace: "journal: { keptWhile: ['paused', ", notice: unit('create-intake') },
  { name: 'journal: a closed organization takes part', file: 'packages/adapters/store-postgres/src/sources/create-crm-journal-store.ts', find: " AND o.state <> 'closed'", replace: '', notice: reading },
  { name: 'echoes: what the CRM sets itself counts', file: 'packages/crm-writer/src/policies/journal-echo.ts', find: '.filter(([name]) => !setByTheCrm.test(name))', replace: '', notice: echoes },
  { name: 'echoes: any new record is an echo', file: 'packages/crm-writer/src/policies/journal-echo.ts', find: '&& holdsTold(written, values, watched)', replace: '&& values !== null', notice: echoes },
  { name: 'echoes: a new record has to have values that the journal does not tell', file: 'services/flow-runner/src/units/attempts/journal-echo.ts', find: 'watched(source, typeOf(eventType))', replace: '[]', notice: unit('flow-runner/src/units/attempts/journal-echo') },
  { name: 'echoes: a forced replay is an echo', file: 'services/flow-runner/src/units/attempts/journal-echo.ts', find: 'suppressesEchoes && !forced && writer', replace: 'suppressesEchoes && writer', notice: unit('flow-runner/src/units/attempts/journal-echo') },
  { name: 'echoes: a deletion is an echo of any write', file: 'packages/crm-writer/src/state/fingerprints.ts', find: ' && holdsAll(latest, deletedValues)', replace: '', notice: echoes },
  { name: 'journal: what is from before the binding is told', file: `${journal}/read-journal.ts`, find: 'all.filter((change) => !isBefore(change, since) && ', replace: 'all.filter((change) => ', notice: reading },
  { name: 'journal: a subscription that another process ended is not made again', file: `${journal}/journal-subscriptions.ts`, find: 'JSON.stringify([wantedBy, properties])', replace: 'JSON.stringify([properties])', notice: unit('journal-poller/src/journal/journal-subscriptions') },
  { name: 'hops: a loop never ends', file: 'services/flow-runner/src/units/attempts/journal-echo.ts', find: 'hops > hopLimit && !forced', replace: 'hops < 0', notice: unit('flow-runner/src/units/attempts/journal-echo') },
  { name: 'hops: an event is its own cause', file: 'packages/crm-writer/src/state/write-causes.ts', find: 'write.eventId !== eventId && led', replace: 'led', notice: unit('crm-writer/src/state/write-causes') },
  { name: 'hops: every write begins a chain', file: 'packages/crm-writer/src/state/write-causes.ts', find: 'cause.hops + 1', replace: '1', notice: unit('crm-writer/src/state/write-causes') },
  { name: 'freshness: one value that changed is enough', file: 'packages/crm-writer/src/policies/outdated-values.ts', find: 'return changed.every(', replace: 'return changed.some(', notice: unit('crm-writer/src/policies/outdated-values') },
  { name: 'freshness: outdated values are sent', file: 'packages/actions/src/post/post.action.ts', find: 'return done(notSent);', replace: 'void notSent;', notice: unit('actions/src/post/outbound-rules') },
  { name: 'folders: links are followed', file: 'packages/adapters/files-folder/src/watched-folder.ts', find: 'openFolder(parent.member(name), constants.O_NOFOLLOW, shown)', replace: 'openFolder(parent.member(name), 0, shown)', notice: folders },
  { name: 'folders: files that are links are read', file: 'packages/adapters/files-folder/src/watched-folder.ts', find: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK', replace: 'constants.O_RDONLY | constants.O_NONBLOCK', notice: folders },
  { name: 'sources: a reading leaves its place to another source of the name', file: 'packages/adapters/store-postgres/src/sources/create-source-read-store.ts', find: "date_trunc('milliseconds', created_at) = ${createdAt}", replace: '${createdAt}::timestamptz IS NOT NULL', notice: places },
  { name: 'sources: a request to read has the time of the process', file: 'packages/adapters/store-postgres/src/config/source-store.ts', find: 'poll_requested_at: await timeIn(tx, 0)', replace: 'poll_requested_at: new Date()', notice: places },
  { name: 'folders: a file is known by its name alone', file: 'packages/adapters/store-postgres/src/sources/create-source-file-store.ts', find: 'filename = $3 AND digest = $4`', replace: 'filename = $3 AND $4::text IS NOT NULL`', notice: folders },
  { name: 'folders: a known state is not recognized after a restart', file: 'packages/adapters/store-postgres/src/sources/create-source-file-store.ts', find: "filename = $3 AND watched_state = $4'", replace: "filename = $3 AND $4::text IS NULL'", notice: folders },
  { name: 'folders: a file in any state is known', file: 'packages/adapters/store-postgres/src/sources/create-source-file-store.ts', find: "filename = $3 AND watched_state = $4'", replace: "filename = $3 AND $4::text IS NOT NULL'", notice: folders },
  { name: 'folders: a paused connector takes files', file: 'services/journal-poller/src/reading/read-source.ts', find: 'isStopped(reading, connector) ? { dueInMs: idleMs } : deps.lookForFiles', replace: 'deps.lookForFiles', notice: folders },
];
