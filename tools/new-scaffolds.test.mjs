import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { snake } from './lib/scaffold.mjs';
import { featuresOf } from './lib/scaffolded-tree.mjs';
import { root } from './lib/workspace.mjs';
import { scaffoldAction } from './new-action.mjs';
import { main as newAdapter, ports, scaffoldAdapter } from './new-adapter.mjs';
import { main as newRoute, scaffoldRoute } from './new-route.mjs';
import { scaffoldService } from './new-service.mjs';
import { scaffoldWorker } from './new-worker.mjs';
import { main as newSource, scaffoldSource, sourceTypes } from './new-source.mjs';

/** That what they write compiles and passes its tests is shown by `npm run check` (lib/scaffold-check.mjs). */
describe('scaffolds of sources, routes, services and adapters', () => {
  let dir;
  const read = (path) => readFileSync(join(dir, path), 'utf8');
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluice-new-'));
    const parts = [
      'packages/actions/src', 'packages/sources/src', 'packages/contracts/src', 'packages/deployment/src', 'packages/ports/src', 'services/config-api/src/features',
      'services/standalone/src', 'services/standalone/package.json',
    ];
    for (const path of parts) cpSync(join(root, path), join(dir, path), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('a source is entered last in the list of types and in the registry, and never twice', () => {
    scaffoldSource(dir, 'fax-machine');
    assert.equal(sourceTypes(dir).at(-1), 'fax_machine');
    assert.match(read('packages/sources/src/registry.ts'), / fax_machine: faxMachine,?\s*\} as const/);
    assert.throws(() => scaffoldSource(dir, 'fax-machine'), /exists already/);
  });

  it('a route of a feature that is not there yet gets its folder, its contract file and its entries', () => {
    const oboes = { feature: 'oboes', method: 'get', path: '/api/connectors/:connector_id/oboes', operation: 'list_oboes' };
    const made = scaffoldRoute(dir, oboes);
    const home = 'services/config-api/src/features';
    for (const file of ['get-oboes.ts', 'get-oboes.integration.test.ts', 'deps.ts', 'index.ts']) assert.ok(made.includes(`${home}/oboes/${file}`), file);
    assert.match(read('tools/gen/conformance/40-oboes.mjs'), /`GET \/api\/connectors\/\{connector_id\}\/oboes`: .*', 'list oboes list_oboes answers'\],\n/);
    assert.match(read(`${home}/index.ts`), /\.\.\.oboeRoutes\(deps\)/);
    assert.match(read('packages/contracts/src/routes/config/index.ts'), /export \* from '\.\/oboes\/oboes';/);
    assert.match(read('packages/contracts/src/routes/config/oboes/oboes.ts'), /name: 'list_oboes'/);
    assert.throws(() => scaffoldRoute(dir, oboes), /exists already/);
  });

  it('a route of any feature is entered, whatever the shape of its list, and refused the second time before anything is written', () => {
    for (const feature of featuresOf(dir)) {
      const route = { feature, method: 'put', path: '/api/connectors/:connector_id/oboe', operation: `replace_${snake(feature)}_oboe` };
      const made = scaffoldRoute(dir, route);
      const before = made.map(read);
      assert.throws(() => scaffoldRoute(dir, route), /exists already/);
      assert.deepEqual(made.map(read), before, feature);
    }
  });

  it('a further route of a feature is one entry in its list, in order', () => {
    const path = '/api/credentials/:credential_id/uses';
    scaffoldRoute(dir, { feature: 'credentials', method: 'get', path, operation: 'list_credential_uses' });
    const [, list] = /\[\n([^\]]*)\];/.exec(read('services/config-api/src/features/credentials/index.ts'));
    const entries = list.trim().split('\n').map((line) => line.trim());
    assert.ok(entries.includes('getCredentialUses(deps),'));
    assert.deepEqual(entries, [...entries].sort());
    assert.equal(existsSync(join(dir, 'packages/contracts/src/routes/config/credentials/credentials.ts')), true);
  });

  it('a service is entered in the list of services and in what npm start composes, and never twice', () => {
    const made = scaffoldService(dir, 'fax-sender');
    assert.ok(made.includes('services/fax-sender/README.md'));
    assert.match(read('packages/deployment/src/services.ts'), /\n  \{\n    name: 'fax-sender',\n[^]*\n  \},\n\] as const satisfies/);
    assert.match(read('services/standalone/src/compose.ts'), /import \{ faxSender \} from '@sluice\/fax-sender';\n[^]*services = \[[^\]]*, faxSender\] as const/);
    assert.equal(JSON.parse(read('services/standalone/package.json')).dependencies['@sluice/fax-sender'], 'workspace:*');
    assert.throws(() => scaffoldService(dir, 'fax-sender'), /exists already/);
  });

  it('a worker is entered in what its service composes, also inside of a function', () => {
    scaffoldService(dir, 'fax-sender');
    scaffoldWorker(dir, 'fax-sender', 'old-faxes');
    assert.match(read('services/fax-sender/src/compose.ts'), /import \{ oldFaxes \} from '\.\/workers\/old-faxes\.worker';\n[^]*workers: Worker\[\] = \[oldFaxes\];/);
    assert.throws(() => scaffoldWorker(dir, 'fax-sender', 'old-faxes'), /exists already/);
  });

  it('a service writes nothing where one of the lists is gone', () => {
    const list = join(dir, 'services/standalone/src/compose.ts');
    writeFileSync(list, 'export {};\n');
    const before = read('packages/deployment/src/services.ts');
    assert.throws(() => scaffoldService(dir, 'fax-sender'), /standalone\/src\/compose.ts cannot be changed: there is no list services.*Nothing was written/);
    assert.equal(read('packages/deployment/src/services.ts'), before);
    assert.equal(existsSync(join(dir, 'services/fax-sender')), false);
  });

  it('an adapter has every method of its port, inherited ones too', () => {
    assert.ok(['blob-store', 'event-bus', 'key-value'].every((port) => ports(dir).includes(port)));
    scaffoldAdapter(dir, 'config-http', 'config-reader');
    const source = read('packages/adapters/config-http/src/create-http-config-reader.ts');
    for (const method of ['connector', 'flowIndex', 'crmAccess', 'refreshCrmAccess'])
      assert.match(source, new RegExp(`    ${method}: \\(\\) =>`));
  });

  it('lines stay within 130 columns with long names too', () => {
    const name = 'outgoing-registered-letter';
    const made = [
      ...scaffoldAction(dir, name),
      ...scaffoldSource(dir, name),
      ...scaffoldRoute(dir, {
        feature: `${name}s`, method: 'get', path: `/api/connectors/:connector_id/${name}s`, operation: `list_${snake(name)}s`,
      }),
      ...scaffoldService(dir, name),
      ...scaffoldAdapter(dir, name, 'key-value'),
    ].filter((path) => path.includes('letter') && path.endsWith('.ts'));
    assert.ok(made.length > 10);
    for (const path of made)
      assert.deepEqual(read(path).split('\n').filter((line) => line.length > 130), [], path);
  });

  it('names that do not fit are refused with the usage, before anything is written', async () => {
    for (const args of [[], ['Fax'], ['webhook'], ['../up']]) await assert.rejects(newSource(args), /Usage/);
    const unnamed = ['oboes', 'get', '/api/x', 'list'];
    const routes = [[], unnamed, ['oboes', 'head', '/api/x', 'list_x'], ['oboes', 'get', 'x', 'list_x']];
    for (const args of routes) await assert.rejects(newRoute(args), /Usage/);
    for (const args of [[], ['blob', 'blob-store'], ['blob-s3', 'nothing']]) await assert.rejects(newAdapter(args), /Usage/);
  });
});
