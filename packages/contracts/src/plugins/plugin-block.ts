// In a file of its own, so that the pure packages can import it without the types of Node.
import type { ConfigDocument, Flow, Step } from '../config/config-document';
import type { PluginCapabilities } from './plugin-capabilities';

/** The fields of a plugin step that a publish resolves: what a draft says in them never counts. */
export const pluginEmbeddedFields = ['function_arn', 'version', 'capabilities'] as const;

/** What the name of a plugin means to a published version. */
export interface PluginCoordinates {
  function_arn: string;
  version: number | '$LATEST';
  capabilities: PluginCapabilities;
}

/** The plugin that a step names, and its config as authored; null: it names none. In both forms of the step. */
export function authoredPlugin(step: Step): { logicalName: string; config: Record<string, unknown> } | null {
  const block = isObject(step.plugin) ? step.plugin : step;
  const { logical_name: logicalName, config } = block;
  if (step.action !== 'plugin' || typeof logicalName !== 'string') return null;
  return { logicalName, config: isObject(config) ? config : {} };
}

/** The names of the plugins that a config uses, each once. */
export function pluginNames({ flows }: Pick<ConfigDocument, 'flows'>): string[] {
  return [...new Set(stepsOf(flows).flatMap((step) => authoredPlugin(step)?.logicalName ?? []))];
}

const stepsOf = (flows: unknown): Step[] =>
  Array.isArray(flows) ? (flows as Flow[]).flatMap((flow) => (Array.isArray(flow?.steps) ? flow.steps : [])) : [];

/** The config without resolved fields. The same object where it has none. */
export function withoutCoordinates<C extends Pick<ConfigDocument, 'flows'>>(config: C): C {
  const isResolved = ({ action, plugin }: Step): boolean =>
    action === 'plugin' && isObject(plugin) && pluginEmbeddedFields.some((field) => Object.hasOwn(plugin, field));
  if (!stepsOf(config.flows).some(isResolved)) return config;
  return mapSteps(config, (step) => {
    if (!isResolved(step)) return step;
    const isEmbedded = (field: string): boolean => (pluginEmbeddedFields as readonly string[]).includes(field);
    const authored = Object.entries(step.plugin as object).filter(([field]) => !isEmbedded(field));
    return { ...step, plugin: Object.fromEntries(authored) };
  });
}

/** The config with the block that a publish has resolved in each plugin step whose name is known. */
export function withCoordinates<C extends Pick<ConfigDocument, 'flows'>>(
  config: C, coordinates: ReadonlyMap<string, PluginCoordinates>,
): C {
  if (coordinates.size === 0) return config;
  return mapSteps(config, (step) => {
    const authored = authoredPlugin(step);
    const known = authored && coordinates.get(authored.logicalName);
    if (!authored || !known) return step;
    const { function_arn, version, capabilities } = known;
    const { logicalName: logical_name, config: own } = authored;
    return { ...step, plugin: { logical_name, function_arn, version, capabilities, config: own } };
  });
}

const mapSteps = <C extends Pick<ConfigDocument, 'flows'>>(config: C, map: (step: Step) => Step): C => ({
  ...config,
  flows: config.flows.map((flow) => ({ ...flow, steps: flow.steps.map(map) })),
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
