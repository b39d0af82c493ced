import { formatRows, type Column } from './format-rows';

const rows = [
  { crm_id: '1', properties: { email: 'ada@example.com' } },
  { crm_id: '2', extra: true },
];
const email: Column = { name: 'E-mail', valueOf: (row) => (row as { properties?: { email?: string } }).properties?.email };

describe('formatRows', () => {
  it('csv: a line of names, then a line for each row', () => {
    expect(formatRows(rows, 'csv', [email])).toBe('E-mail\r\nada@example.com\r\n\r\n');
    expect(formatRows(rows, 'csv', null)).toBe('crm_id,properties,extra\r\n1,"{""email"":""ada@example.com""}",\r\n2,,true\r\n');
    expect(formatRows([], 'csv', [email])).toBe('E-mail\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' blank', '" blank"'],
    ['plain', 'plain'],
    [0, '0'],
    [null, ''],
    [['a', 'b'], '"[""a"",""b""]"'],
  ])('csv: the cell of %j is %s', (value, cell) => {
    expect(formatRows([{ a: value }], 'csv', [{ name: 'a', valueOf: (row) => (row as { a: unknown }).a }])).toBe(
      `a\r\n${cell}\r\n`,
    );
  });

  it('jsonl and json: objects of the columns, else the rows', () => {
    expect(formatRows(rows, 'jsonl', [email])).toBe('{"E-mail":"ada@example.com"}\n{"E-mail":null}\n');
    expect(formatRows(rows, 'json', [email])).toBe('[{"E-mail":"ada@example.com"},{"E-mail":null}]');
    expect(JSON.parse(formatRows(rows, 'json', null))).toEqual(rows);
  });
});
