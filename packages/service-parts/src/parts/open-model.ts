import { createAnthropicModel } from '@sluice/model-anthropic';
import { createOpenAiModel } from '@sluice/model-openai';
import type { Model } from '@sluice/ports';
import type { assistantSettings, SettingValues } from '@sluice/service-kit';

const defaults = {
  openai: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5.1' },
  anthropic: { baseUrl: 'https://api.anthropic.com', model: 'claude-sonnet-4-5' },
} as const;

/** The language model that the settings name; null: there is no key, and so no assistant. */
export function openModel(settings: SettingValues<typeof assistantSettings>): Model | null {
  const { assistantProvider: provider, assistantApiKey: apiKey, assistantTimeoutMs: idleMs } = settings;
  if (apiKey === null) return null;
  const options = {
    apiKey, idleMs,
    baseUrl: settings.assistantBaseUrl ?? defaults[provider].baseUrl,
    model: settings.assistantModel ?? defaults[provider].model,
  };
  return provider === 'anthropic' ? createAnthropicModel(options) : createOpenAiModel(options);
}
