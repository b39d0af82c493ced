import type { startLab } from './lab';

interface Answer {
  headers: Record<string, unknown>;
}

/** The lines of `Set-Cookie`. */
export const cookiesOf = (answer: Answer): string[] => (answer.headers['set-cookie'] as string[] | undefined) ?? [];

/** The cookies of an answer as a browser sends them back. */
export const pairsOf = (answer: Answer): string => cookiesOf(answer).map((line) => line.split(';')[0]).join('; ');

/** A caller with a session token, as the page gets it with the cookies of a sign-in. */
export async function refreshed(lab: Awaited<ReturnType<typeof startLab>>, answer: Answer) {
  const csrf = /sluice_csrf=([^;]+)/.exec(pairsOf(answer))![1]!;
  const { body } = await lab.api().post('/api/auth/refresh').set('x-csrf-token', csrf).set('cookie', pairsOf(answer)).expect(200);
  return lab.as(body.access_token as string);
}
