/**
 * What Lambda starts: it runs the module of the plugin (`plugin.js` beside it) in a context of its own for each invocation, so
 * that nothing of one invocation is visible to the next. An event is what `lambda-invocations.ts` sends.
 *
 * The wall around a plugin is the virtual machine of Lambda. The context keeps the plugin from what it should not find by
 * accident.
 */
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');
const { gunzipSync } = require('node:zlib');
const { messageOf, PluginContext } = require('./plugin-context.js');

// The runtime has read them; a plugin has no use for the credentials of its role.
for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];

const file = join(__dirname, 'plugin.js');
/** null: nothing was deployed yet. */
const code = existsSync(file) ? readFileSync(file, 'utf8') : null;
let script = null;

exports.handler = async (event) => {
  switch (event.kind) {
    case 'probe':
      return { kind: code === null ? 'empty' : 'present' };
    case 'check':
      return check(gunzipSync(Buffer.from(event.code, 'base64')).toString('utf8'));
    default:
      return code === null ? { kind: 'empty' } : run(event);
  }
};

/** Evaluates a module that is to be deployed. */
function check(text) {
  const context = new PluginContext({ hosts: [], secrets: [], masks: [], mayCall: false }, { logLines: 0 });
  try {
    context.load(new Script(text, { filename: 'plugin' }));
    return { kind: 'sound' };
  } catch (thrown) {
    return { kind: 'problem', message: messageOf(thrown) };
  } finally {
    context.end();
  }
}

async function run({ payload, scope, bounds }) {
  const context = new PluginContext(scope, bounds);
  const startedAt = performance.now();
  let answer;
  try {
    script ??= new Script(code, { filename: 'plugin' });
    const handler = context.load(script);
    const result = await Promise.race([handler(context.value(payload)), context.failed, context.timeOver]);
    answer = returned(context.textOf(result), bounds);
  } catch (thrown) {
    answer = ended(thrown);
  } finally {
    context.end();
  }
  const mb = Math.ceil(process.memoryUsage().rss / 1_048_576);
  return { ...answer, logs: context.logs, dropped: context.dropped, ms: performance.now() - startedAt, mb };
}

function returned(text, { responseBytes }) {
  if (Buffer.byteLength(text) <= responseBytes) return { kind: 'returned', text };
  return { kind: 'limit', limit: 'response', message: `its answer is longer than ${responseBytes / 1_048_576} MiB of JSON` };
}

function ended(thrown) {
  const message = messageOf(thrown);
  if (thrown?.limit === 'time') return { kind: 'limit', limit: 'time', message };
  const isStack = message.startsWith('RangeError: Maximum call stack');
  return isStack ? { kind: 'limit', limit: 'stack', message } : { kind: 'threw', message };
}
