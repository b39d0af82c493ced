import { functionPlatformConformance } from '@sluice/ports/testing';
import { openLambdaLab } from './test-support/lambda-lab';

functionPlatformConformance('functions-lambda', async () => {
  const { platform, stub } = await openLambdaLab();
  return {
    arnOf: (name) => platform.arnOf(name), deploy: (name, code) => platform.deploy(name, code),
    publish: (name, code, operation) => platform.publish(name, code, operation), remove: (name) => platform.remove(name),
    has: (call) => platform.has(call), invoke: (call) => platform.invoke(call),
    close: async () => {
      await platform.close();
      await stub.close();
    },
  };
});
