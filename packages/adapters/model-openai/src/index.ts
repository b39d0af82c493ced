/** A language model behind chat completions. */
export { createOpenAiModel, type OpenAiModelOptions } from './create-openai-model';
