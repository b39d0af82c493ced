/** The environment, or its replacement in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;
