import type { InvocationResponse } from '@aws-sdk/client-lambda';
import { functionBounds, secretMask } from '@sluice/ports';
import { readAnswer } from './read-answer';

const reading = { bounds: functionBounds, mask: secretMask(['s3cret-value']) };
const answerOf = (payload: unknown, more: Partial<InvocationResponse> = {}): InvocationResponse =>
  ({ Payload: Buffer.from(JSON.stringify(payload)) as InvocationResponse['Payload'], ...more });
const tailOf = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

describe('the answer of an invocation', () => {
  it.each([
    ['Sandbox.Timedout', 'Task timed out after 12.00 seconds',
      { kind: 'limit', limit: 'time', message: 'it took longer than 10 s' }],
    ['Runtime.OutOfMemory', '', { kind: 'limit', limit: 'memory' }],
    ['Runtime.ExitError', 'Runtime exited with error: signal: killed', { kind: 'limit', limit: 'memory' }],
    ['Function.ResponseSizeTooLarge', 'too large', { kind: 'limit', limit: 'response' }],
    ['Runtime.ExitError', 'Runtime exited with error: exit status 1', { kind: 'interrupted' }],
  ])('of one that ended with %s %s', (errorType, errorMessage, expected) => {
    expect(readAnswer(answerOf({ errorType, errorMessage }, { FunctionError: 'Unhandled' }), reading)).toMatchObject(expected);
  });

  it('has the lines and the memory of the end of the log, masked, where Lambda ended it', () => {
    const lines = [
      'cut off"}}', '{"plugin":{"at":1,"level":"warn","message":"with s3cret-value"}}', 'REPORT x\tMax Memory Used: 71 MB\t',
    ];
    const answer = answerOf({ errorMessage: 'Task timed out' },
      { FunctionError: 'Unhandled', LogResult: tailOf(lines.join('\n')) });
    expect(readAnswer(answer, reading)).toMatchObject({ memoryMb: 71, logs: [{ at: 1, level: 'warn', message: 'with ***' }] });
  });

  it.each([[null], [[]], [{ kind: 'returned', text: 7 }], [{ kind: 'other' }]])('%j is none', (payload) => {
    expect(readAnswer(answerOf(payload), reading)).toMatchObject({ kind: 'interrupted' });
  });

  it('is not believed: bounds are checked again', () => {
    const text = JSON.stringify('x'.repeat(functionBounds.responseBytes));
    expect(readAnswer(answerOf({ kind: 'returned', text }), reading)).toMatchObject({ kind: 'limit', limit: 'response' });
    const logs = [
      { at: 'now', level: 'info', message: 'a' }, { at: 1, level: 'loud', message: 'b' }, { at: 1, level: 'info', message: 'c' },
    ];
    expect(readAnswer(answerOf({ kind: 'threw', message: 's3cret-value', logs }), reading)).toMatchObject({
      kind: 'threw', message: '***', logs: [{ message: 'c' }],
    });
  });
});
