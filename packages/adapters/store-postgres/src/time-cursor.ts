const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The place in a list by time and id, newest first, as an opaque text. */
export const timeCursor = {
  of: ({ created_at: at, id }: { created_at: Date; id: string }): string =>
    Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url'),

  /** null: none was given, or it is invalid; the list starts from the beginning. */
  read(cursor: string | undefined): [createdAt: string, id: string] | null {
    if (cursor === undefined) return null;
    try {
      const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      if (typeof at !== 'string' || typeof id !== 'string' || !uuidShape.test(id)) return null;
      return [new Date(at).toISOString(), id];
    } catch {
      // Not JSON, or no time: see above.
      return null;
    }
  },
};
