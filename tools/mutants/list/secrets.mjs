/** Ways to let secrets into a config, or out of it, that a test must notice. */
const model = 'packages/config-model/src';
const sources = 'packages/sources/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'secrets: a step may sign in with what an event brought', file: `${model}/check-step-secrets.ts`, find: 'authenticates.test(name) || (', replace: '(', notice: unit('check-step-secrets') },
  { name: 'secrets: names of credentials are refused whatever they carry', file: `${model}/check-step-secrets.ts`, find: ' && !isReference(value));', replace: ');', notice: unit('check-step-secrets') },
  { name: 'secrets: a part of a value that is a reference excuses the rest', file: `${model}/check-step-secrets.ts`, find: "withoutReferences(value).trim() === ''", replace: 'withoutReferences(value) !== value', notice: unit('check-step-secrets') },
  { name: 'secrets: the URL of a step may hold a key', file: `${model}/check-step-secrets.ts`, find: 'if (hasSecret(url)) yield secretOfStep(loc);', replace: '', notice: unit('check-step-secrets') },
  { name: 'secrets: a reference in a parameter of a URL is taken for a key', file: `${model}/check-step-secrets.ts`, find: "if (url.searchParams.get(name) === '') url", replace: "if (url.searchParams.get(name) === '-') url", notice: unit('check-step-secrets') },
  { name: 'headers: those of the connection may be set', file: 'packages/public-address/src/request-headers.ts', find: 'isConnectionHeader(name) ?', replace: 'isConnectionHeader(name + name) ?', notice: unit('check-source|check-step-secrets|header-set') },
  { name: 'headers: the header of a credential may belong to the connection', file: `${sources}/check-held-value.ts`, find: 'header_name: checkHeaderName,', replace: 'header_name: () => [],', notice: unit('check-source') },
  { name: 'secrets: words look random', file: `${sources}/looks-random.ts`, find: 'digitsOf(run) >= least.digits && ', replace: '', notice: unit('looks-random') },
  { name: 'secrets: a UUID does not look random', file: `${sources}/looks-random.ts`, find: '[A-Za-z0-9_~+/=-]+', replace: '[A-Za-z0-9_~+/=]+', notice: unit('looks-random') },
];
