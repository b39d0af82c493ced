import type { FunctionPlatform } from '@sluice/ports';
import { createLambdaFunctions, type LambdaFunctionsOptions } from '../create-lambda-functions';
import { LambdaStub } from './lambda-stub';

export const labSecret = 'the-secret-of-the-access-key';

/** The adapter on a stub of Lambda. */
export async function openLambdaLab(
  options: Partial<LambdaFunctionsOptions> = {},
): Promise<{ platform: FunctionPlatform; stub: LambdaStub }> {
  const stub = new LambdaStub();
  const platform = createLambdaFunctions({
    endpoint: await stub.listen(), region: 'eu-central-1', role: 'arn:aws:iam::123456789012:role/plugins',
    credentials: { accessKeyId: 'key', secretAccessKey: labSecret }, allowPrivateTargets: true, pollMs: 1, ...options,
  });
  return { platform, stub };
}
