import { parseDatabaseRoles } from './database-roles';

const known = ['ingest-api', 'config-api'];

test('passwords by service', () => {
  expect([...parseDatabaseRoles('ingest-api:a:b, config-api:c', known)]).toEqual([['ingest-api', 'a:b'], ['config-api', 'c']]);
  expect(parseDatabaseRoles(null, known).size).toBe(0);
});

test.each(['ingest-api', 'ingest-api:', 'other:geheim', ':geheim', 'ingest-api:a,other:geheim'])(
  'an item that is none is named, without its password: %s', (text) => {
    expect(() => parseDatabaseRoles(text, known)).toThrow('must be service:password, of one of ingest-api, config-api');
    expect(() => parseDatabaseRoles(text, known)).not.toThrow('geheim');
  },
);
