import { readdirSync } from 'node:fs';
import { configRoutes } from '@sluice/contracts';
import type { Deps } from '../deps';
import { configApiRoutes } from './index';

const routes = configApiRoutes({ authenticate: () => undefined, authenticateOperator: () => null } as unknown as Deps);

test('every contract of the config plane has its route, and every file one', () => {
  expect(routes.map(({ contract }) => contract.name).sort()).toEqual(Object.values(configRoutes).map(({ name }) => name).sort());
  const files = readdirSync(__dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'index.ts');
  expect(files).toHaveLength(routes.length);
});
