import { type Finding, finding } from '@sluice/config-model';
import { authoredPlugin, type ConfigDocument, hasPlugins, type Tier } from '@sluice/contracts';

/**
 * Plugin steps that the plan does not allow, and sources that a plugin is granted and the config does not declare.
 * @param grants names of the sources that each plugin is granted, by the name of the plugin
 * @param running names of the plugins that the active version runs: they go on whatever the plan
 */
export function pluginFindings(
  config: ConfigDocument, tier: Tier, { grants, running }: { grants: ReadonlyMap<string, string[]>; running: readonly string[] },
): Finding[] {
  const rest = new Set(config.sources.flatMap(({ name, type }) => (type === 'rest' ? [name] : [])));
  return config.flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, stepIndex) => {
      if (step.action !== 'plugin') return [];
      const place = { field: `flows.${flowIndex}.steps.${stepIndex}`, event_flow: flow.name };
      const name = authoredPlugin(step)?.logicalName ?? '';
      const notAllowed = hasPlugins(tier) ? [] : [
        finding({
          ...place, severity: running.includes(name) ? 'warning' : 'error', code: 'plugin_step_tier_not_allowed',
          message: `step '${step.id}' runs a plugin, which the plan '${tier}' does not include`,
          suggestion: running.includes(name)
            ? 'It goes on; to push or promote the plugin, change the plan.'
            : 'Change the plan, or remove the step.',
        }),
      ];
      const granted = grants.get(name) ?? [];
      const unknown = granted.filter((name) => !rest.has(name)).map((name) =>
        finding({
          ...place, severity: 'error', code: 'plugin_auth_grant_unknown_source',
          message: `the plugin of step '${step.id}' is granted the source '${name}', which the config does not declare as rest`,
          suggestion: `Declare a rest source named '${name}'.`,
        }),
      );
      return [...notAllowed, ...unknown];
    }),
  );
}
