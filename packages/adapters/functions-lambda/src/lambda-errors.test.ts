import { FunctionPlatformUnavailable } from '@sluice/ports';
import { lambdaError, LambdaRefused, mayHaveArrived } from './lambda-errors';

const sdkError = (name: string, status?: number, code?: string): Error =>
  Object.assign(new Error('with the-secret-of-a-request'), { name, code, $metadata: { httpStatusCode: status } });

describe('errors of Lambda', () => {
  it.each([
    ['TooManyRequestsException', 429], ['ServiceException', 500], ['EC2ThrottledException', 502], ['TimeoutError', undefined],
    ['ResourceConflictException', 409], ['ThrottlingException', 400],
  ])('%s (%s) may succeed later', (name, status) => {
    expect(lambdaError(sdkError(name, status))).toBeInstanceOf(FunctionPlatformUnavailable);
  });

  it.each([
    ['AccessDeniedException', 403], ['InvalidParameterValueException', 400], ['CodeStorageExceededException', 400],
    ['ResourceNotFoundException', 404], ['RequestTooLargeException', 413],
  ])('%s (%s) is for good', (name, status) => {
    expect(lambdaError(sdkError(name, status))).toBeInstanceOf(LambdaRefused);
  });

  it('are shown by name and status, without the message of the request', () => {
    const errors = [sdkError('AccessDeniedException', 403), sdkError('ServiceException', 500)];
    const shown = errors.map((error) => lambdaError(error).message);
    expect(shown).toEqual([
      'AWS Lambda refused it: AccessDeniedException (status 403)', 'AWS Lambda cannot be used: ServiceException (status 500)',
    ]);
  });

  it('an invocation may have run unless its connection was refused, or an answer came', () => {
    expect(mayHaveArrived(sdkError('Error', undefined, 'ECONNRESET'))).toBe(true);
    expect(mayHaveArrived(sdkError('AbortError'))).toBe(true);
    expect(mayHaveArrived(sdkError('Error', undefined, 'ECONNREFUSED'))).toBe(false);
    expect(mayHaveArrived(sdkError('ServiceException', 500))).toBe(false);
  });
});
