/** Ways to break the API client that a test must notice. */
export default [
  {
    name: 'api client: path parameters are not encoded',
    file: 'packages/api-client/src/call-route.ts',
    find: 'return encodeURIComponent(String(value));',
    replace: 'return String(value);',
    notice: { project: 'unit', pattern: 'api-client/src/create-api-client' },
  },
  {
    name: 'api client: a refusal counts as a success',
    file: 'packages/api-client/src/call-route.ts',
    find: 'if (!response.ok) throw',
    replace: 'if (response.status === 0) throw',
    notice: { project: 'unit', pattern: 'api-client/src/create-api-client' },
  },
  {
    name: 'api client: an empty path parameter calls another route',
    file: 'packages/api-client/src/call-route.ts',
    find: "if (value === undefined || value === null || value === '') throw",
    replace: 'if (value === undefined || value === null) throw',
    notice: { project: 'unit', pattern: 'api-client/src/create-api-client' },
  },
  {
    name: 'api client: a request that nobody answers never ends',
    file: 'packages/api-client/src/call-route.ts',
    find: 'const signals = [AbortSignal.timeout(timeoutMs), options.signal',
    replace: 'const signals = [AbortSignal.timeout(timeoutMs * 1e4), options.signal',
    notice: { project: 'unit', pattern: 'api-client/src/create-api-client' },
  },
];
