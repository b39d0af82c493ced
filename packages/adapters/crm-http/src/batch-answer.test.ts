import { toBatchAnswer, toCrmRecord } from './batch-answer';

describe('batch answers of the wire', () => {
  it('have all fields, ids as text, and optional fields only if they were sent', () => {
    expect(toCrmRecord({ id: 7 })).toEqual({ id: '7', properties: {}, archived: false, createdAt: '', updatedAt: '' });
    expect(toCrmRecord({ id: '8', new: true, objectWriteTraceId: 't', archived: true })).toMatchObject({
      id: '8',
      isNew: true,
      traceId: 't',
      archived: true,
    });
    expect(toBatchAnswer(undefined)).toEqual({ results: [], errors: [] });
  });

  it('name the inputs of an error by trace id, context ids, or its own id', () => {
    const { errors } = toBatchAnswer({ errors: [
      { category: 'VALIDATION_ERROR', message: 'no', context: { objectWriteTraceId: ['t1'] } },
      { category: 'OBJECT_NOT_FOUND', message: 'gone', context: { ids: ['1', '2'] }, id: 'uuid' },
      { category: 'CONFLICT', subCategory: 'x', message: 'twice, Existing ID: 51', id: '9' },
      {},
    ] });
    expect(errors).toMatchObject([
      { category: 'VALIDATION_ERROR', traceIds: ['t1'], ids: [], subCategory: null },
      { category: 'OBJECT_NOT_FOUND', traceIds: [], ids: ['1', '2'] },
      { subCategory: 'x', ids: ['9'], holderId: '51' },
      { category: 'UNKNOWN', traceIds: [], ids: [] },
    ]);
    expect(errors[3]!.message).not.toBe('');
  });
});
