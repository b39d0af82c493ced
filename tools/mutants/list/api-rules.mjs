/** Ways to break the rules that hold for every route: cursors, times without a zone, answers on closing connections; and what `find` gives. */
const http = 'packages/service-kit/src/http';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });
const cursor = (name, find, replace) => ({ name: `cursors: ${name}`, file: 'packages/ports/src/shared/list-cursor.ts', find, replace, notice: unit('ports/src/shared/list-cursor') });
const time = (name, find, replace) => ({ name: `times: ${name}`, file: 'packages/contracts/src/utc-time.ts', find, replace, notice: unit('contracts/src/utc-time') });
const written = (name, file, find, replace) => ({ name: `times: ${name}`, file: `${http}/${file}.ts`, find, replace, notice: unit('service-kit/src/http/validation/utc-times') });
const linger = (name, file, find, replace) => ({ name: `closing: ${name}`, file: `${http}/${file}.ts`, find, replace, notice: unit('service-kit/src/http/server/linger') });
const found = (name, find, replace) => ({ name: `find: ${name}`, file: 'packages/crm-writer/src/finding/found-record.ts', find, replace, notice: unit('crm-writer/src') });

export default [
  cursor('more or fewer values are taken', 'place.length === shape.length && ', ''),
  cursor('values of another kind are taken', ' && shape.every((kind, index) => kinds[kind](place[index]))', ''),
  cursor('those of another list and in other spellings are taken', '!fits || of(place) !== cursor', '!fits'),
  cursor('one that is none begins the list', 'throw new InvalidCursor(cursor);', 'return null;'),
  { name: 'cursors: one that is none is a bug of ours', file: `${http}/routes/error-answer.ts`, find: 'error instanceof InvalidCursor)', replace: 'error instanceof InvalidCursor && false)', notice: integration('config-api/src/cursors') },
  time('without a zone it is one of the machine', "zone = 'Z'", "zone = ''"),
  time('a day that is not there is the next month', 'Number(day) < 1 || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()', 'Number(day) < 1'),
  written('a query arrives as it was sent', 'validation/check-request', '    writeQueryTimes(given.query);\n', ''),
  written('a body arrives as it was sent', 'validation/check-request', '    writeBodyTimes(given.body);\n', ''),
  written('a form arrives as it was sent', 'validation/check-request', '    if (found.length === 0) writeTimes(fields);\n', ''),
  written('one without a zone is refused', 'validation/schema-compiler', 'json: compiler({ formats }),', 'json: compiler({}),'),
  written('an answer may have one without a zone', 'validation/schema-compiler', 'answer: compiler({}),', 'answer: compiler({ formats }),'),
  written('items of a list are left', 'validation/utc-times', 'if (inner !== null) fields.push', 'if (inner === null) fields.push'),
  { name: 'times: a session has the zone of the server', file: 'packages/adapters/store-postgres/src/create-pool.ts', find: 'connectionString: utcSession(url)', replace: 'connectionString: url', notice: integration('store-postgres/src/utc-session') },
  { name: 'times: options of the URL are dropped', file: 'packages/adapters/store-postgres/src/utc-session.ts', find: '...(given ? [given] : []), ', replace: '', notice: integration('store-postgres/src/utc-session') },
  { name: 'times: options of the URL count more', file: 'packages/adapters/store-postgres/src/utc-session.ts', find: "[...(given ? [given] : []), '-c TimeZone=UTC']", replace: "['-c TimeZone=UTC', ...(given ? [given] : [])]", notice: integration('store-postgres/src/utc-session') },
  { name: 'times: Retry-After without a zone is of the machine', file: 'packages/ports/src/rest-targets/retry-after.ts', find: '`${date} GMT`', replace: 'date', notice: unit('ports/src/rest-targets/retry-after') },
  { name: 'times: a value of the CRM without a zone is of the machine', file: 'packages/flow-run/src/verify/same-value.ts', find: 'const utc = utcTime(text);', replace: "const utc = utcTime(text) === null ? null : text;", notice: unit('flow-run/src/verify') },
  linger('the connection is cut with the answer', 'server/http-server', 'const lingering = new Lingering(server);', 'const lingering = { cut: () => undefined };'),
  linger('a caller that sends nothing more is waited for', 'server/linger', 'now - seen.at > idleMs || ', ''),
  linger('the stop of the server waits for callers that send', 'server/http-server', '    lingering.cut();\n', ''),
  found('it gives what the CRM adds', 'Object.fromEntries(asked.map((name) => [name, given(name)]))', 'properties'),
  found('it leaves out those without a value', 'asked.map((name) => [name, given(name)])', 'asked.flatMap((name) => (given(name) === null ? [] : [[name, given(name)]]))'),
  { name: 'connectors: a user sets the status error', file: 'packages/contracts/src/routes/config/connectors/connectors.ts', find: "enum: ['active', 'paused']", replace: "enum: ['active', 'paused', 'error']", notice: integration('features/connectors/connectors.integration') },
];
