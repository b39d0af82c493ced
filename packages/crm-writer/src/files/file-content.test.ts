import { fileContent } from './file-content';

const maxBytes = 2 * 1_048_576;
const contentOf = (bytes: number, head = '') => fileContent(head + Buffer.alloc(bytes, 'x').toString('base64'), maxBytes);

describe('the content of a file', () => {
  it.each(['', 'data:application/pdf;base64,'])('may be as large as the limit, and no larger: %j', (head) => {
    expect(contentOf(maxBytes, head)).toMatchObject({ ok: true, value: { length: maxBytes } });
    expect(contentOf(maxBytes + 1, head)).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'file_too_large',
      message: 'the file is larger than 2 MiB',
    });
  });
});
