import { bulkParameter, bulkRows, keyText } from './bulk-rows';

describe('bulkRows', () => {
  it('names columns once and casts what is sent as text', () => {
    expect(bulkRows({ id: 'uuid', offset: 'bigint', body: 'json', tags: 'text[]' }, 2)).toEqual({
      names: '"id", "offset", "body", "tags"',
      values: 'r."id", r."offset", r."body"::json, ARRAY(SELECT json_array_elements_text(r."tags"::json))',
      from: 'json_to_recordset($2::json) AS r("id" uuid, "offset" bigint, "body" text, "tags" text)',
    });
  });
});

describe('bulkParameter', () => {
  it('replaces what a text column cannot hold, and nothing else', () => {
    const pair = '😀';
    expect(JSON.parse(bulkParameter([{ a: `x\0y`, b: '\ud83d!', c: pair, d: '\\u0000' }]))).toEqual([
      { a: 'x\uFFFDy', b: '\uFFFD!', c: pair, d: '\\u0000' },
    ]);
  });
});

describe('keyText', () => {
  it('leaves keys that fit alone, byte by byte', () => {
    for (const text of ['', 'a'.repeat(1_024), '😀'.repeat(256)]) expect(keyText(text)).toBe(text);
  });

  it('tells long keys apart that start alike, and is stable', () => {
    const [a, b] = ['😀'.repeat(2_000), `${'😀'.repeat(2_000)}!`];
    expect(keyText(a)).toBe(keyText(a));
    expect(keyText(a)).not.toBe(keyText(b));
    expect(keyText(keyText(a))).toBe(keyText(a));
    expect(Buffer.byteLength(keyText(a))).toBeLessThan(1_024);
  });
});
