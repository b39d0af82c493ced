import { DemoShop, type Customer, type CustomerChange } from './demo-shop';

const ada: Customer = { email: 'ada@x.example', name: 'Ada', phone: '1' };
let shop: DemoShop;
let url: string;
const [kept, told]: [Customer[][], CustomerChange[]] = [[], []];
beforeAll(async () => {
  shop = new DemoShop({
    customers: [ada], keep: (customers) => void kept.push(customers), tell: async (change) => void told.push(change),
  });
  url = `http://127.0.0.1:${await shop.start(0)}/customers`;
});
afterAll(() => shop.stop());
const ask = async (method: string, path = '', body?: string): Promise<[number, unknown]> => {
  const answer = await fetch(url + path, { method, ...(body !== undefined && { body }) });
  return [answer.status, await answer.json()];
};

test('a PUT sets what it names, keeps it and tells nobody; a PATCH is told', async () => {
  expect(await ask('PUT', '/ada@x.example', '{"name":"A.","id":7}')).toEqual([200, { id: 'ada@x.example' }]);
  expect(await ask('GET')).toEqual([200, [{ ...ada, name: 'A.' }]]);
  expect([kept.at(-1), told, shop.changed]).toEqual([[{ ...ada, name: 'A.' }], [], 1]);
  expect(await ask('PATCH', '/ada@x.example', '{"phone":"2"}')).toEqual([200, { ...ada, name: 'A.', phone: '2' }]);
  expect([told, shop.changed]).toEqual([[{ email: 'ada@x.example', phone: '2' }], 1]);
  expect(await ask('PUT', '/Bob@x.example', '{"name":"Bob","phone":null}')).toEqual([200, { id: 'bob@x.example' }]);
  expect(await ask('GET', '/bob@x.example')).toEqual([200, { email: 'bob@x.example', name: 'Bob', phone: '' }]);
});

test('what it does not know, and bodies that are none, are refused', async () => {
  const statuses = await Promise.all([
    ask('GET', '/nobody@x.example'), ask('DELETE', '/ada@x.example'), ask('POST'), ask('PUT', '/ada@x.example', 'no JSON'),
    ask('PUT', '/ada@x.example', '{"name":7}'), ask('PUT', '/ada@x.example', JSON.stringify({ name: 'x'.repeat(20_000) })),
    ask('GET', '/a/b'),
  ]);
  expect(statuses.map(([status]) => status)).toEqual([404, 405, 405, 400, 400, 400, 404]);
});

test('it takes another port when its own is in use', async () => {
  const other = new DemoShop({ customers: [], keep: () => undefined, tell: () => Promise.resolve() });
  const port = Number(new URL(url).port);
  expect(await other.start(port)).not.toBe(port);
  await other.stop();
});
