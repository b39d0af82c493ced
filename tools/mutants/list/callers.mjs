/** Ways to break what the config plane does before it looks a caller up that a test must notice. */
const auth = 'services/config-api/src/auth';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

export default [
  { name: 'callers: made-up tokens are looked up without a budget', file: `${auth}/guard-authenticate.ts`, find: 'if (network !== null) strangers.take(network);', replace: '', notice: unit('guard-authenticate') },
  { name: 'callers: right tokens use up the attempts of their network', file: `${auth}/guard-authenticate.ts`, find: 'if (network !== null) strangers.giveBack(network);', replace: '', notice: unit('guard-authenticate') },
  { name: 'callers: a token that was right lately is an attempt', file: `${auth}/guard-authenticate.ts`, find: 'isKnown(token) ? null : callerNetwork', replace: 'callerNetwork', notice: unit('guard-authenticate') },
  { name: 'callers: a token is not counted before it is looked up', file: `${auth}/guard-authenticate.ts`, find: '    count(token);\n', replace: '', notice: unit('guard-authenticate') },
  { name: 'callers: all tokens are counted together', file: `${auth}/guard-authenticate.ts`, find: 'buckets.take(token, 1);', replace: "buckets.take('', 1);", notice: unit('guard-authenticate') },
  { name: 'callers: refused refresh tokens are not counted', file: `${auth}/with-stranger-budget.ts`, find: 'if (!isAttempt) strangers', replace: 'strangers', notice: integration('unknown-callers') },
  { name: 'callers: a session is believed for longer than a second', file: `${auth}/with-caller-cache.ts`, find: 'const usualTtlMs = 1_000;', replace: 'const usualTtlMs = 3_000;', notice: unit('with-caller-cache') },
  { name: 'callers: a session that ended is believed by the process that ended it', file: `${auth}/with-caller-cache.ts`, find: 'method(...args).finally(forget)', replace: 'method(...args)', notice: unit('with-caller-cache') },
  { name: 'callers: a change that failed is forgotten too early', file: `${auth}/with-caller-cache.ts`, find: 'method(...args).finally(forget)', replace: '(forget(), method(...args))', notice: unit('with-caller-cache') },
  { name: 'callers: a read that failed is remembered', file: `${auth}/with-caller-cache.ts`, find: 'if (known.peek(key) === entry) known.delete(key);', replace: '', notice: unit('with-caller-cache') },
  { name: 'callers: every request reads its caller', file: `${auth}/with-caller-cache.ts`, find: 'found && monotonicNow()', replace: 'found && Infinity + monotonicNow()', notice: unit('with-caller-cache') },
];
