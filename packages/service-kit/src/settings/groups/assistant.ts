import { defineSettings } from '../define-settings';

/** The language model behind the assistant. */
export const assistantSettings = defineSettings({
  assistantProvider: {
    env: 'SLUICE_ASSISTANT_PROVIDER',
    type: 'enum',
    options: ['openai', 'anthropic'],
    default: 'openai',
    description: 'The API of the model: chat completions of OpenAI or of a compatible server, or Anthropic\'s messages.',
  },
  assistantApiKey: {
    env: 'SLUICE_ASSISTANT_API_KEY',
    type: 'secret',
    description: 'Key of the model\'s API. Unset: there is no assistant, its routes answer 503 `assistant_unavailable`.',
  },
  assistantBaseUrl: {
    env: 'SLUICE_ASSISTANT_BASE_URL',
    type: 'url',
    defaultText: 'the provider\'s own',
    description: 'What stands before `/chat/completions`, such as `https://host/v1`; for Anthropic before `/v1/messages`. It may lead to a private address.',
  },
  assistantModel: {
    env: 'SLUICE_ASSISTANT_MODEL',
    type: 'string',
    defaultText: '`gpt-5.1` or `claude-sonnet-4-5`',
    description: 'The name of the model.',
  },
  assistantTimeoutMs: {
    env: 'SLUICE_ASSISTANT_TIMEOUT',
    type: 'seconds',
    min: 0.1,
    max: 600,
    default: '60',
    description: 'How long the model may send nothing. After that the turn ends with `timeout`.',
  },
  assistantTokensPerMonth: {
    env: 'SLUICE_ASSISTANT_TOKENS_PER_MONTH',
    type: 'integer',
    min: 0,
    default: '0',
    description: 'Tokens of the model, in and out, that one organization may use in a calendar month (UTC). 0: unlimited.',
  },
});
