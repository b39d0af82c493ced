import { readdirSync } from 'node:fs';
import { configRoutes } from '@sluice/contracts';
import { type ConfigApiDeps, configApiRoutes } from './index';

const nobody = () => undefined;
const authenticators = {
  authenticate: nobody, authenticateAccount: nobody, authenticateCaller: nobody, authenticateOperator: nobody,
};
const routes = configApiRoutes(authenticators as unknown as ConfigApiDeps);

test('every contract of the config plane has its route, and every file of a route one', () => {
  expect(routes.map(({ contract }) => contract.name).sort()).toEqual(Object.values(configRoutes).map(({ name }) => name).sort());
  const files = readdirSync(__dirname, { recursive: true }).map(String);
  const isRoute = (file: string): boolean => /\/(get|post|put|patch|delete)-[a-z-]+\.ts$/.test(file);
  expect(files.filter(isRoute)).toHaveLength(routes.length);
});
