export { testContext } from './test-context';
export { startTestPortal, type TestPortal, type TestWriter } from './test-portal';
