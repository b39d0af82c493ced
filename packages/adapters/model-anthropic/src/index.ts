/** A language model behind Anthropic's messages API. */
export { type AnthropicModelOptions, createAnthropicModel } from './create-anthropic-model';
