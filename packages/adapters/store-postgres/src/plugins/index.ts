export { createFunctionCodeStore } from './function-code-store';
export { createPluginRunStore } from './plugin-run-store';
export { createPluginStore } from './plugin-store';
export { createPluginWorkStore } from './plugin-work-store';
