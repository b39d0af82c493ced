import type { PluginAnswer, PluginRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';

/** The plugin that a change has left. Throws the error answer when the store refuses it. */
export function changedPlugin(answer: PluginAnswer): PluginRow {
  if (answer.ok) return answer.plugin;
  switch (answer.reason) {
    case 'not_found':
      throw apiError('plugin_not_found');
    case 'name_taken':
      throw apiError('plugin_name_taken', { message: 'A plugin of the organization has this name.' });
    case 'not_pushed':
      throw apiError('plugin_not_pushed', { message: 'Push code before it is promoted.' });
  }
}
