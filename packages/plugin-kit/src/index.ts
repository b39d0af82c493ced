export { bundlePlugin, type BundledPlugin } from './bundle-plugin';
export { KitError } from './kit-error';
export { newPlugin } from './new-plugin';
export { type PluginFolder, readPluginFolder } from './plugin-folder';
export { type EventResult, PluginSandbox, type SandboxOptions } from './plugin-sandbox';
export { readRecordedEvents, type RecordedEvent } from './recorded-event';
