const deployer = 'services/plugin-deployer/src';
const store = 'packages/adapters/store-postgres/src';
const local = 'packages/adapters/functions-local/src';
const lambda = 'packages/adapters/functions-lambda/src';
const contracts = 'packages/contracts/src';
const routes = 'services/config-api/src/features/plugins';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });
const operations = unit('plugin-deployer/src/operations');
const hooks = unit('plugin-deployer/src/hooks');
const states = unit('contracts/src/plugins/plugin-states');
const capabilities = unit('contracts/src/plugins/plugin-capabilities');
const response = unit('actions/src/plugin');
const lint = unit('plugin-lint/src');
const steps = integration('flow-runner/src/plugins/plugin-steps');
const storeSuite = integration('store-postgres/src/plugins');
const resolution = integration('features/plugins/resolution');
const escapes = integration('functions-local/src/escapes');
const kit = integration('plugin-kit/src');

export default [
  { name: 'plugins: an outage of the platform is an error at once', file: `${deployer}/operations/run-operation.ts`, find: 'if (waitMs !== undefined) return', replace: 'if (waitMs === -1) return', notice: operations },
  { name: 'plugins: a promotion reaches no active version', file: `${deployer}/operations/run-operation.ts`, find: '  await rollOut(work, operation.pluginId, context);\n', replace: '', notice: operations },
  { name: 'plugins: a setup that ends after its connector was deleted stays', file: 'packages/adapters/store-postgres/src/plugins/plugin-work-store.ts', find: "if (isGone && hook.hook_type === 'setup') await tearDownLate", replace: "if (isGone && hook.hook_type !== 'setup') await tearDownLate", notice: storeSuite },
  { name: 'plugins: a hook that threw has succeeded', file: `${deployer}/hooks/run-hook.ts`, find: 'if (error === null) return', replace: "if (error !== 'none') return", notice: hooks },
  { name: 'plugins: a setup in effect is asked for again', file: `${contracts}/plugins/plugin-states.ts`, find: "kind: hook.status === 'failed' ? 'again' : 'known'", replace: "kind: 'again'", notice: states },
  { name: 'plugins: a setup after a teardown stays in its cycle', file: `${contracts}/plugins/plugin-states.ts`, find: 'cycle: cycle + 1', replace: 'cycle', notice: states },
  { name: 'plugins: a wildcard covers its own name', file: `${contracts}/plugins/plugin-capabilities.ts`, find: "name.endsWith(`.${host}`) && name.length > host.length + 1", replace: "name.endsWith(host)", notice: capabilities },
  { name: 'plugins: a port that is not granted is covered', file: `${contracts}/plugins/plugin-capabilities.ts`, find: '|| (only !== undefined && only !== actualPort)', replace: '', notice: capabilities },
  { name: 'plugins: store_writes without the grant count', file: 'packages/actions/src/plugin/plugin-response.ts', find: 'writes: mayStore ? writesOf(value) : []', replace: 'writes: writesOf(value)', notice: response },
  { name: 'plugins: an unknown action goes on', file: 'packages/actions/src/plugin/plugin-response.ts', find: "if (found === undefined) throw new ResponseProblem(`${key} is ${options.join(', ')}`);\n", replace: '', notice: response },
  { name: 'plugins: a declared failure is tried again', file: 'packages/actions/src/plugin/plugin.action.ts', find: "kind: 'permanent', code: 'plugin_refused'", replace: "kind: 'transient', code: 'plugin_refused'", notice: response },
  { name: 'plugins: a retry holds back nobody', file: 'packages/actions/src/plugin/plugin.action.ts', find: "waitsIn: requeue ? 'event' : 'connector'", replace: "waitsIn: 'event'", notice: response },
  { name: 'plugins: the store is handed out without its grant', file: 'services/flow-runner/src/plugins/attempt-plugins.ts', find: '...(readsStore && { store:', replace: '...({ store:', notice: steps },
  { name: 'plugins: a value over its bound is stored', file: 'services/flow-runner/src/plugins/attempt-plugins.ts', find: '  if (large) return', replace: '  if (large && maxKeys < 0) return', notice: steps },
  { name: 'plugins: credentials stand in sources_index', file: 'services/flow-runner/src/plugins/config-indexes.ts', find: '!ofCredentials.test(field)', replace: 'field !== \'\'', notice: steps },
  { name: 'plugins: a promotion moves an override', file: `${store}/plugins/version-plugins.ts`, find: "row.origin === 'live' && ", replace: '', notice: storeSuite },
  { name: 'plugins: functions of other organizations may be named', file: `${routes}/resolution/refuse-functions-of-others.ts`, find: 'if (problems.length > 0) throw', replace: 'if (problems.length > 99) throw', notice: resolution },
  { name: 'plugins: a host is not looked at after a redirect', file: `${local}/fetch/host-fetch.ts`, find: '    checkHop(request, this.scope.grants);\n', replace: '    if (this.calls === 0) checkHop(request, this.scope.grants);\n', notice: escapes },
  { name: 'plugins: a granted secret goes anywhere', file: `${local}/fetch/fetch-rules.ts`, find: 'if (misplaced) throw', replace: 'if (misplaced && secrets.length > 99) throw', notice: escapes },
  { name: 'plugins: denied addresses are called', file: `${local}/create-local-functions.ts`, find: 'deniedTargets: options.deniedTargets ?? []', replace: 'deniedTargets: []', notice: escapes },
  { name: 'plugins: a process that computes much keeps its priority', file: `${local}/pool/child-priority.ts`, find: '    if (this.busy >= busyLooks) this.lower();\n', replace: '', notice: integration('functions-local/src/pool/function-pool') },
  { name: 'plugins: one organization moves as much as it likes', file: `${local}/pool/rate-gate.ts`, find: 'if (waitMs === 0 || !this.options.isBusy(organizationId)) return false;', replace: 'if (waitMs !== Infinity) return false;', notice: unit('functions-local/src/pool/traffic-gate') },
  { name: 'plugins: small invocations count as moved', file: `${local}/pool/traffic-gate.ts`, find: 'this.used(organizationId, bytes - freeBytes);', replace: 'this.used(organizationId, bytes);', notice: unit('functions-local/src/pool/traffic-gate') },
  { name: 'plugins: what was logged does not count as moved', file: `${local}/pool/guest-child.ts`, find: '    if (running) running.moved += bytes;\n', replace: '', notice: integration('functions-local/src/pool/function-pool') },
  { name: 'plugins: who computes much keeps all places', file: `${local}/pool/organization-bounds.ts`, find: '? 1 : this.options.maxPerOrganization', replace: '? 2 : this.options.maxPerOrganization', notice: integration('functions-local/src/pool/function-pool') },
  { name: 'plugins: one organization computes as long as it likes', file: `${local}/pool/organization-bounds.ts`, find: ' || this.compute.mustWait(organizationId)', replace: '', notice: integration('functions-local/src/pool/function-pool') },
  { name: 'plugins: who is alone may compute no longer than beside others', file: `${local}/pool/organization-bounds.ts`, find: ' && this.others.than(organizationId)', replace: '', notice: unit('functions-local/src/pool/organization-bounds') },
  { name: 'plugins: who computes gets further invocations', file: `${local}/pool/function-pool.ts`, find: '    if (this.bounds.goesOneByOne(organizationId, all)) return null;\n', replace: '', notice: integration('functions-local/src/pool/function-pool') },
  { name: 'plugins: a child that waits for an answer counts as computing', file: `${local}/pool/guest-child.ts`, find: ' && this.openRequests === 0', replace: '', notice: integration('functions-local/src/pool/guest-child') },
  { name: 'plugins: who computed for long waits as long', file: `${local}/pool/rate-gate.ts`, find: 'Math.min(until, now + aheadMs + longestMs)', replace: 'until', notice: unit('functions-local/src/pool/compute-gate') },
  { name: 'plugins: what runs is not at work', file: `${local}/pool/others-at-work.ts`, find: '    if (this.total > this.openOf(organizationId)) return true;\n', replace: '', notice: unit('functions-local/src/pool/others-at-work') },
  { name: 'plugins: an organization is among the others', file: `${local}/pool/others-at-work.ts`, find: 'organizationId === this.last.organizationId ? this.otherAt : this.last.at', replace: 'this.last.at', notice: unit('functions-local/src/pool/others-at-work') },
  { name: 'plugins: a burst of events finds no room in the queue', file: `${local}/create-local-functions.ts`, find: 'const defaultWaiting = 4_000;', replace: 'const defaultWaiting = 1_000;', notice: integration('functions-local/src/pool/function-pool') },
  { name: 'plugins: lines over the hour reach the store', file: 'services/flow-runner/src/plugins/plugin-notes.ts', find: 'note.logs.slice(0, this.allowance.take(note.functionArn, note.logs.length))', replace: 'note.logs', notice: unit('flow-runner/src/plugins/plugin-notes') },
  { name: 'plugins: lines of an hour are counted for each write', file: `${store}/plugins/plugin-run-store.ts`, find: 'WHERE r.rank <= $2 - logged.lines', replace: 'WHERE r.rank <= $2', notice: storeSuite },
  { name: 'plugins: headers go along to another host', file: `${local}/fetch/fetch-rules.ts`, find: "headers: url.origin === request.url.origin ? request.headers : {}", replace: 'headers: request.headers', notice: integration('functions-local/src/escapes-by-address') },
  { name: 'plugins: a text with a URL in its middle is not looked at', file: 'packages/plugin-lint/src/host-literals.ts', find: 'const urls = /(https?', replace: 'const urls = /^\\s*(https?', notice: lint },
  { name: 'kit: an event that returns something else passes', file: 'packages/plugin-kit/src/missing-in.ts', find: 'if (isDeepStrictEqual(value, expected)) return [];', replace: 'if (value !== undefined) return [];', notice: kit },
  { name: 'kit: calls that are not recorded leave the machine', file: `${local}/create-local-functions.ts`, find: 'options.client ?? createRestClient', replace: 'createRestClient', notice: kit },
  {
    name: 'lambda: a function of another organization is invoked', file: `${lambda}/function-names.ts`,
    find: 'startsWith(`${this.prefix}${ownPrefix(organizationId)}`)', replace: 'startsWith(this.prefix)', notice: integration('functions-lambda/src/lambda-functions'),
  },
  {
    name: 'lambda: an invocation is sent again', file: `${lambda}/lambda-client.ts`,
    find: 'this.settings(1)', replace: 'this.settings(controlAttempts)', notice: integration('functions-lambda/src/lambda-functions'),
  },
  {
    name: 'lambda: an operation that was published is published again', file: `${lambda}/create-lambda-functions.ts`,
    find: 'if (published !== null) return', replace: 'if (published === -1) return', notice: integration('functions-lambda/src/lambda-functions'),
  },
  {
    name: 'lambda: a changed setting of memory or time does not reach the function', file: `${lambda}/lambda-control.ts`,
    find: 'if (found !== null && !this.isUpToDate(found))', replace: 'if (found === null)', notice: integration('functions-lambda/src/lambda-control'),
  },
];
