/** Ways to let secrets into a config, or out of it, that a test must notice. */
const model = 'packages/config-model/src';
const sources = 'packages/sources/src';
const integration = (pattern) => ({ project: 'integration', pattern });
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'secrets: a step may sign in with what an event brought', file: `${model}/checks/check-step-secrets.ts`, find: 'authenticates.test(name) || (', replace: '(', notice: unit('check-step-secrets') },
  { name: 'secrets: names of credentials are refused whatever they carry', file: `${model}/checks/check-step-secrets.ts`, find: ' && !isReference(value));', replace: ');', notice: unit('check-step-secrets') },
  { name: 'secrets: a part of a value that is a reference excuses the rest', file: `${model}/checks/check-step-secrets.ts`, find: "withoutReferences(value).trim() === ''", replace: 'withoutReferences(value) !== value', notice: unit('check-step-secrets') },
  { name: 'secrets: the URL of a step may hold a key', file: `${model}/checks/check-step-secrets.ts`, find: 'if (hasSecret(url)) yield secretOfStep(loc);', replace: '', notice: unit('check-step-secrets') },
  { name: 'secrets: a reference in a parameter of a URL is taken for a key', file: `${model}/checks/check-step-secrets.ts`, find: "if (url.searchParams.get(name) === '') url", replace: "if (url.searchParams.get(name) === '-') url", notice: unit('check-step-secrets') },
  { name: 'headers: those of the connection may be set', file: 'packages/public-address/src/request-headers.ts', find: 'isConnectionHeader(name) ?', replace: 'isConnectionHeader(name + name) ?', notice: unit('check-source|check-step-secrets|header-set') },
  { name: 'headers: the header of a credential may belong to the connection', file: `${sources}/check-held-value.ts`, find: 'header_name: checkHeaderName,', replace: 'header_name: () => [],', notice: unit('check-source') },
  { name: 'secrets: words look random', file: `${sources}/looks-random.ts`, find: 'digitsOf(run) >= least.digits && ', replace: '', notice: unit('looks-random') },
  { name: 'secrets: a UUID does not look random', file: `${sources}/looks-random.ts`, find: '[A-Za-z0-9_~+/=-]+', replace: '[A-Za-z0-9_~+/=]+', notice: unit('looks-random') },
  { name: 'masks: base64 with other characters before it is shown', file: 'packages/ports/src/shared/secret-mask.ts', find: '[0, 1, 2].map((before) => {', replace: '[0].map((before) => {', notice: unit('ports/src/shared/secret-mask') },
  { name: 'masks: base64url is shown', file: 'packages/ports/src/shared/secret-mask.ts', find: "text.replaceAll('+', '-').replaceAll('/', '_')", replace: 'text', notice: unit('ports/src/shared/secret-mask') },
  { name: 'masks: hexadecimal is shown', file: 'packages/ports/src/shared/secret-mask.ts', find: 'hex, hex.toUpperCase(), ', replace: '', notice: unit('ports/src/shared/secret-mask') },
  { name: 'masks: a text inside of JSON is shown', file: 'packages/ports/src/shared/secret-mask.ts', find: '...jsonForms(secret), ', replace: '', notice: unit('ports/src/shared/secret-mask') },
  { name: 'masks: a number is shown', file: 'packages/ports/src/shared/secret-mask.ts', find: "if (typeof value === 'number' && mask(", replace: "if (typeof value === 'bigint' && mask(", notice: unit('ports/src/shared/secret-mask') },
  { name: 'credentials: one goes to hosts that it does not allow', file: 'packages/rest-targets/src/source-headers.ts', find: 'return isAllowed ? credential :', replace: 'return isAllowed || name !== null ? credential :', notice: unit('source-headers') },
  { name: 'credentials: a publish does not look at their hosts', file: `${model}/checks/check-publishable.ts`, find: 'if (!elsewhere) return [];', replace: 'return [];', notice: unit('config-model/src/checks/check-publishable|config-model/src/checks/moments') },
  { name: 'credentials: a review names pairs that were published before', file: `${model}/derived/credential-hosts.ts`, find: '.filter((pair) => !known.has(pairOf(pair)))', replace: '', notice: unit('credential-hosts') },
  { name: 'credentials: a new host needs no confirmation', file: 'services/config-api/src/features/versions/publish-draft.ts', find: '.length > 0)\n    throw reviewError(review, \'send', replace: '.length > 1e9)\n    throw reviewError(review, \'send', notice: integration('previews.integration') },
  { name: 'credentials: a rotation takes the allowed hosts away', file: 'packages/adapters/store-postgres/src/config/credentials/credential-store.ts', find: '...(secret.allowedHosts !== undefined && { allowed_hosts: secret.allowedHosts ?? [] }),', replace: 'allowed_hosts: secret.allowedHosts ?? [],', notice: integration('config-store.integration') },
  { name: 'webhooks: a new secret is answered while the old one is taken', file: 'services/config-api/src/features/sources/post-source-rotate-secret.ts', find: 'await sleep(changesKeptMs);', replace: 'await sleep(0);', notice: integration('features/sources/sources.integration') },
  { name: 'credentials: a new value is answered while the old one is used', file: 'services/config-api/src/features/credentials/put-credential.ts', find: 'await sleep(changesKeptMs);', replace: 'await sleep(0);', notice: integration('credentials.integration') },
  { name: 'credentials: an empty secret is taken', file: 'packages/contracts/src/routes/config/credentials/credential-data.ts', find: 'minLength: 1, maxLength: 8192', replace: 'minLength: 0, maxLength: 8192', notice: integration('credentials.integration') },
];
