import type { HttpRoute } from '@sluice/service-kit';
import type { SuggestionDeps } from './deps';
import { getFieldMappingSuggestions } from './get-field-mapping-suggestions';

/** The routes that help with writing a draft. */
export const suggestionRoutes = (deps: SuggestionDeps): HttpRoute[] => [getFieldMappingSuggestions(deps)];
