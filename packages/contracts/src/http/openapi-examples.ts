/** Named examples of OpenAPI. Names hold no blanks. */
export const byTitle = (examples: readonly { title: string; value: unknown }[]): Record<string, unknown> =>
  Object.fromEntries(examples.map(({ title, value }) => [title.replaceAll(/[^A-Za-z0-9._-]+/g, '_'), { summary: title, value }]));
