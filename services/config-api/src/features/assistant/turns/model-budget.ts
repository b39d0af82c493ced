import type { AssistantStore, ModelRequest, ModelUsage, TokenReservation } from '@sluice/ports';

/** Tokens of the month, per organization: set aside before a call of the model, replaced by what it used. */
export interface ModelBudget {
  /** When tokens are there again, if there are none; undefined: there are some. */
  refusal(organizationId: string): Promise<{ retryAfterS: number } | undefined>;
  /** null: the tokens of the month are used up. */
  reserve(organizationId: string, request: ModelRequest): Promise<TokenReservation | null>;
  settle(reservation: TokenReservation, usage: ModelUsage): Promise<void>;
}

/** Characters of a token, about. */
const charactersPerToken = 4;

export function createModelBudget(
  { store, tokensPerMonth }: { store: Pick<AssistantStore, 'reserveTokens' | 'settleTokens'>; tokensPerMonth: number | null },
): ModelBudget {
  return {
    refusal: async (organizationId) => {
      const answer = await store.reserveTokens(organizationId, 0, tokensPerMonth);
      return answer.ok ? undefined : { retryAfterS: answer.retryAfterS };
    },
    reserve: async (organizationId, request) => {
      const answer = await store.reserveTokens(organizationId, inputEstimate(request) + request.maxOutputTokens, tokensPerMonth);
      return answer.ok ? answer.reservation : null;
    },
    settle: (reservation, { inputTokens, outputTokens }) => store.settleTokens(reservation, inputTokens + outputTokens),
  };
}

/** For servers that do not say what they counted. */
export const tokenEstimate = (characters: number): number => Math.ceil(characters / charactersPerToken);

export function inputEstimate({ system, messages, tools }: ModelRequest): number {
  return tokenEstimate(system.length + JSON.stringify(messages).length + JSON.stringify(tools).length);
}
