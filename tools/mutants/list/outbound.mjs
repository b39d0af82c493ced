/** Mutants of what calls REST destinations. */
const targets = 'packages/rest-targets/src';
const unit = { project: 'unit', pattern: 'packages/rest-targets' };
const headers = { project: 'unit', pattern: 'rest-client/src/header-set' };
const overHttp = { project: 'integration', pattern: 'packages/rest-targets' };
const inRunner = { project: 'integration', pattern: 'flow-runner/src/outbound' };
const post = { project: 'unit', pattern: 'packages/actions/src/post' };
const run = { project: 'unit', pattern: 'flow-runner/src/units/attempts/keeping-sent' };
const actions = { project: 'unit', pattern: 'packages/actions/src/examples' };

const recentRead = 'packages/ports/src/shared/recent-read.ts';
const recent = { project: 'unit', pattern: 'ports/src/shared/recent-read' };
const session = { project: 'unit', pattern: 'crm-writer/src/session/portal-session' };

export default [
  { name: 'credentials: a new value is used after half a minute', file: recentRead, find: 'export const changesKeptMs = 1_000;', replace: 'export const changesKeptMs = 30_000;', notice: session },
  { name: 'credentials: a read counts from its end', file: recentRead, find: 'this.put(value, askedAt);', replace: 'this.put(value, this.options.monotonicNow());', notice: recent },
  { name: 'credentials: a read that began before the change is joined', file: recentRead, find: 'if (this.underWay && this.isRecent(this.underWay))', replace: 'if (this.underWay)', notice: recent },
  { name: 'credentials: an older value replaces a newer one', file: recentRead, find: 'if (this.known && this.known.askedAt > askedAt) return;', replace: '', notice: recent },
  { name: 'credentials: attempts under way end with the database', file: recentRead, find: 'if (error instanceof StoreUnavailable && last &&', replace: 'if (error === null && last &&', notice: session },
  { name: 'credentials: a value is used for ever while the database is away', file: recentRead, find: 'const awayMs = 30_000;', replace: 'const awayMs = 30_000_000;', notice: recent },
  { name: 'credentials: any failure of a read is passed over', file: recentRead, find: 'if (error instanceof StoreUnavailable && last &&', replace: 'if (last &&', notice: recent },
  { name: 'credentials: a session keeps its token until it is refused', file: 'packages/crm-writer/src/session/portal-session.ts', find: 'token ??= await access.get();', replace: 'token ??= access.last() ?? (await access.get());', notice: session },
  { name: 'credentials: a refreshed token is forgotten', file: 'packages/crm-writer/src/session/portal-session.ts', find: 'if (fresh) access.put(fresh, askedAt);', replace: '', notice: session },
  { name: 'credentials: the app of the old token is taken for the own one', file: 'packages/crm-writer/src/session/token-app.ts', find: "${sha256Hex((await session.accessToken()) ?? '')}", replace: "${sha256Hex('')}", notice: { project: 'unit', pattern: 'crm-writer/src/session/token-app' } },
  { name: 'credentials: a refused one is not read again', file: `${targets}/source-credentials.ts`, find: 'return fresh ? credential.again() : credential.get();', replace: 'return credential.get();', notice: unit },
  { name: 'credentials: all of an organization are one', file: `${targets}/source-credentials.ts`, find: 'JSON.stringify([organizationId, name])', replace: 'organizationId', notice: overHttp },
  { name: 'credentials: a token fetched with the old value is used', file: `${targets}/access-tokens.ts`, find: 'JSON.stringify(credentials)', replace: 'JSON.stringify(credentials.client_id)', notice: overHttp },
  { name: 'outbound: dot segments pass', file: 'packages/ports/src/rest-targets/target-url.ts', find: 'if (pathname.split(/[/\\\\]/).some(isDotSegment)) return null;', replace: '', notice: { project: 'unit', pattern: 'packages/ports/src/rest-targets/target-url' } },
  { name: 'outbound: an encoded dot is none', file: 'packages/ports/src/rest-targets/target-url.ts', find: "segment.replace(/%2e/gi, '.')", replace: 'segment', notice: { project: 'unit', pattern: 'packages/ports/src/rest-targets/target-url' } },
  { name: 'outbound: a value may hold line breaks', file: 'packages/rest-client/src/header-set.ts', find: '/^[\\t\\x20-\\x7e\\x80-\\xff]*$/', replace: '/^[^]*$/', notice: headers },
  { name: 'outbound: headers of the connection pass', file: 'packages/rest-client/src/header-set.ts', find: 'if (fault !== null) return `the header', replace: 'if (fault === "") return `the header', notice: headers },
  { name: 'outbound: a token is fetched for each request', file: `${targets}/access-tokens.ts`, find: 'fetching.run(key, () => fetch(key, credentials))', replace: 'fetch(key, credentials)', notice: unit },
  { name: 'outbound: a token is used until it expires', file: `${targets}/access-tokens.ts`, find: 'monotonicNow() < usable.refreshAt', replace: 'monotonicNow() < usable.expiresAt', notice: unit },
  { name: 'outbound: a refused token is used again', file: `${targets}/access-tokens.ts`, find: 'token.value !== refused && ', replace: '', notice: unit },
  { name: 'outbound: a login is sent', file: `${targets}/source-headers.ts`, find: 'return answer({}, []);', replace: 'return answer({ Authorization: credential.data.password }, []);', notice: unit },
  { name: 'outbound: secrets in answers are not masked', file: `${targets}/read-answer.ts`, find: 'body: maskTexts(bodyOf(answer.body), mask)', replace: 'body: bodyOf(answer.body)', notice: overHttp },
  { name: 'outbound: the step replaces the credential', file: `${targets}/rest-targets.ts`, find: 'all.add(headers.toObject()) ?? all.add(secret.headers)', replace: 'all.add(secret.headers) ?? all.add(headers.toObject())', notice: overHttp },
  { name: 'outbound: a repeated request has another idempotency key', file: `${targets}/rest-targets.ts`, find: 'JSON.stringify([unitKey, flowName, stepId])', replace: 'String(Math.random())', notice: overHttp },
  { name: 'outbound: a request without an answer does not hold its lane', file: `${targets}/rest-targets.ts`, find: 'if (mayStillLand(request, result))', replace: 'if (result === null)', notice: overHttp },
  { name: 'outbound: a rotated credential is not read', file: `${targets}/rest-targets.ts`, find: 'return isNew ? sendOnce(parts, run, request, prepared, second) : answer;', replace: 'return answer;', notice: overHttp },
  { name: 'outbound: a closed destination uses up attempts', file: 'packages/contracts/src/outcomes/step-failure.ts', find: '= new Set(uncountedCodes)', replace: "= new Set(uncountedCodes.filter((code) => code !== 'target_closed'))", notice: inRunner },
  { name: 'outbound: a mapping stays after a delete', file: 'packages/actions/src/delete/delete-at-destination.ts', find: 'identities.remove({ ...record, externalId });', replace: '', notice: inRunner },
  { name: 'outbound: 404 of a delete is a failure', file: 'packages/actions/src/delete/delete-at-destination.ts', find: '!answer.ok && answer.status === 404', replace: 'false', notice: actions },
  { name: 'outbound: a GET counts as a write', file: 'packages/actions/src/post/post.action.ts', find: "const writes = method !== 'GET';", replace: 'const writes = true;', notice: inRunner },
  { name: 'outbound: the projection takes precedence over the body', file: 'packages/actions/src/post/post-body.ts', find: "Object.hasOwn(config, 'body') || ", replace: '', notice: { project: 'unit', pattern: 'packages/actions/src/post' } },
  { name: 'outbound: a narrow post sends everything', file: 'packages/actions/src/post/post-body.ts', find: 'projection.project(ctx, fields, only)', replace: 'projection.project(ctx, fields)', notice: post },
  { name: 'outbound: a narrow post leaves the identity out', file: 'packages/actions/src/post/post-body.ts', find: "reads.names.has(entity.identityProperty ?? '')", replace: 'false', notice: post },
  { name: 'outbound: the canonical form is not followed to its record', file: 'packages/flow-engine/src/flows/record-reads.ts', find: 'return canonicalReads(path, entities);', replace: 'return nothing;', notice: post },
  { name: 'outbound: a fingerprint contains values that the post does not send', file: 'packages/actions/src/post/carried-record.ts', find: 'all || names.has(property)', replace: "all || property !== ''", notice: post },
  { name: 'echoes: a refused post counts as sent', file: 'services/flow-runner/src/units/attempts/keeping-sent.ts', find: '!isAccepted(result)', replace: 'result === null', notice: run },
  { name: 'echoes: a post stores no fingerprint', file: 'services/flow-runner/src/units/attempts/keeping-sent.ts', find: 'await writer.keepSent(unit, record);', replace: '', notice: run },
  { name: 'echoes: a request under way is not remembered', file: 'services/flow-runner/src/units/attempts/keeping-sent.ts', find: 'await writer.keepSending(unit, carries, null);', replace: '', notice: run },
  { name: 'echoes: a written value that crossed a request is an echo', file: 'packages/crm-writer/src/policies/echo-policy.ts', find: 'crossed === null ? properties : {}', replace: 'properties', notice: { project: 'unit', pattern: 'packages/crm-writer/src/state/fingerprints' } },
  { name: 'echoes: the first write to a record that was sent out is never one', file: 'packages/crm-writer/src/policies/echo-policy.ts', find: "keyOf('sent', unit, objectType, current.id)", replace: "keyOf('written', unit, objectType, current.id)", notice: { project: 'unit', pattern: 'packages/crm-writer/src/state/fingerprints' } },
  { name: 'echoes: the writer does not ask for those of first writes', file: 'packages/crm-writer/src/writing/record-sender.ts', find: ', createFirstEchoPolicy(fingerprints)];', replace: '];', notice: { project: 'unit', pattern: 'packages/crm-writer/src/crm-writer' } },
  { name: 'echoes: a later request with other properties hides the crossed one', file: 'packages/crm-writer/src/state/fingerprints.ts', find: 'requests: { ...before?.requests, ...carried }', replace: 'requests: carried', notice: { project: 'unit', pattern: 'packages/crm-writer/src/state/fingerprints' } },
  { name: 'echoes: a crossed value begins a new chain', file: 'packages/crm-writer/src/policies/echo-policy.ts', find: 'crossed === null ? 0 : crossed + 1', replace: '0', notice: { project: 'unit', pattern: 'packages/crm-writer/src/state/fingerprints' } },
];
