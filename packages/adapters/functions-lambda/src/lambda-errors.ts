import { FunctionPlatformUnavailable } from '@sluice/ports';

/** A refusal that the same request would get again. */
export class LambdaRefused extends Error {
  override name = 'LambdaRefused';
}

interface SdkError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

const throttling: ReadonlySet<string> = new Set([
  'TooManyRequestsException', 'ThrottlingException', 'Throttling', 'RequestLimitExceeded', 'EC2ThrottledException',
]);
/** A function that is being created or changed, and one that somebody else changed meanwhile. */
const conflicts: ReadonlySet<string> = new Set([
  'ResourceConflictException', 'ResourceNotReadyException', 'PreconditionFailedException',
]);

const statusOf = (error: unknown): number | undefined => (error as SdkError).$metadata?.httpStatusCode;
const nameOf = (error: unknown): string => (error as SdkError).name ?? 'unknown error';

export const isMissing = (error: unknown): boolean => nameOf(error) === 'ResourceNotFoundException';
export const isThrottled = (error: unknown): boolean => statusOf(error) === 429 || throttling.has(nameOf(error));
export const isConflict = (error: unknown): boolean => conflicts.has(nameOf(error));
/** The credentials of the service are wrong, or they may not do this: nothing that a function could mend. */
export const isForbidden = (error: unknown): boolean => statusOf(error) === 401 || statusOf(error) === 403;

/** Whether the request may have reached Lambda although no answer came. */
export function mayHaveArrived(error: unknown): boolean {
  const { code = '' } = error as SdkError;
  const unsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
  return statusOf(error) === undefined && !unsent.includes(code)
    && nameOf(error) !== 'CredentialsProviderError';
}

/** Without an answer, throttled, in conflict or a failure of Lambda itself: the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status >= 500 || isThrottled(error) || isConflict(error);
}

/** Errors of the SDK are not passed on, because they may show the request: only the name and the status of a refusal are. */
export function describe(error: unknown): string {
  const status = statusOf(error);
  return `${(error as SdkError).code ?? nameOf(error)}${status === undefined ? '' : ` (status ${status})`}`;
}

/** @returns FunctionPlatformUnavailable for what may succeed later, LambdaRefused for everything else */
export function lambdaError(error: unknown): Error {
  if (error instanceof FunctionPlatformUnavailable || error instanceof LambdaRefused) return error;
  return isTransient(error)
    ? new FunctionPlatformUnavailable(`AWS Lambda cannot be used: ${describe(error)}`)
    : new LambdaRefused(`AWS Lambda refused it: ${describe(error)}`);
}
