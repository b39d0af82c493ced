import { functionCodeConformance } from './function-code-conformance';
import { functionPlatformConformance } from './function-platform-conformance';
import { FunctionPlatformTwin } from './function-platform-twin';
import { createMemoryFunctionCode } from './memory-function-code';

functionPlatformConformance('the twin of the function platform', async () => new FunctionPlatformTwin());
functionCodeConformance('the twin of the code store', async () => createMemoryFunctionCode());
