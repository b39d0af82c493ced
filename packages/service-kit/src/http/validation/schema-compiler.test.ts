import { schemaCompilers } from './schema-compiler';

const schema = { type: 'string', format: 'email' } as const;

test('an email address may have spaces at its ends in what is received, not in what is sent', () => {
  for (const address of ['ada@shop.example', '  Ada@Shop.Example\n'])
    expect([schemaCompilers.json(schema)(address), schemaCompilers.text(schema)(address)]).toEqual([true, true]);
  expect([schemaCompilers.answer(schema)('ada@shop.example'), schemaCompilers.answer(schema)(' ada@shop.example')]).toEqual([
    true, false,
  ]);
});

test.each(['', '   ', 'ada', 'ada@', 'a da@shop.example', 'ada@shop.example eve@shop.example'])('%j is no email address',
  (text) => {
  for (const compile of [schemaCompilers.json, schemaCompilers.text]) expect(compile(schema)(text)).toBe(false);
});
