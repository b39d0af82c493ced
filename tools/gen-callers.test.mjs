import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callersMarkdown } from './gen/callers.mjs';

test('a route has a cell for every caller, in the order of the paths', () => {
  const route = (path, auth) => ({ method: 'get', path, auth, summary: `Read ${path}`, answers: {} });
  const text = callersMarkdown({
    routeCallers: ['nobody', 'the operator'],
    callerVerdict: ({ auth }, caller) => (auth === 'none' ? 'enters' : caller === 'nobody' ? '401' : '403 owner_required'),
    configRoutes: { b: route('/b', 'owner'), a: route('/a', 'none'), limits: { small: 8_192 } },
    ingestRoutes: { c: route('/c', 'none') },
  });
  assert.match(text, /\| Route \| \| nobody \| the operator \|\n\|---\|---\|---\|---\|\n\| `GET \/c` \| Read \/c \| yes \| yes \|/);
  assert.match(text, /`GET \/a` \| Read \/a \| yes \| yes \|\n\| `GET \/b` \| Read \/b \| 401 \| 403 `owner_required` \|/);
});
