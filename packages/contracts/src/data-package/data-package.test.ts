import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { packageCategories, packageFilePaths, packageFiles, packageManifestSchema, pluginFolder } from './index';

const ajv = addFormats(new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true }));

test.each(packageFilePaths)('%s has a schema whose fields are all required', (path) => {
  const { schema, category } = packageFiles[path];
  ajv.compile(schema);
  expect(packageCategories).toContain(category);
  expect([...schema.required].sort()).toEqual(Object.keys(schema.properties).sort());
  expect(schema.additionalProperties).toBe(false);
});

test('every category has a file, and the manifest has a schema', () => {
  expect(new Set(Object.values(packageFiles).map(({ category }) => category))).toEqual(new Set(packageCategories));
  ajv.compile(packageManifestSchema);
});

test('a plugin has one folder whatever its name is', () => {
  expect(['shop sync', '../up', 'a/b', 'Größe', 'a.b-c_D9'].map(pluginFolder)).toEqual([
    'plugins/shop_sync', 'plugins/.._up', 'plugins/a_b', 'plugins/Gr__e', 'plugins/a.b-c_D9',
  ]);
});

test('no plugin has the folder above, whatever its name is', () => {
  expect(['.', '..', '...'].map(pluginFolder)).toEqual(['plugins/_', 'plugins/_', 'plugins/...']);
});
