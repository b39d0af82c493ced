import { createApiClient } from './create-api-client';

/**
 * Signs in with a password and answers the session token. For programs, which have nobody to ask for a code.
 * @throws Error when the account has a second factor
 */
export async function signIn(baseUrl: string, credentials: { email: string; password: string }): Promise<string> {
  const answer = await createApiClient({ baseUrl }).login({ body: credentials });
  if ('access_token' in answer) return answer.access_token;
  throw new Error(`the account of ${credentials.email} has a second factor`);
}
