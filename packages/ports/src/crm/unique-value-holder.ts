/**
 * The id of the record that the CRM names as the holder of a unique value: `Existing ID: 51` (409 on create),
 * `51 already has that value` (400 on update and upsert). undefined: the text says nothing of that kind.
 */
export const uniqueValueHolder = (message: string): string | undefined =>
  (/Existing ID: (\d+)/.exec(message) ?? /(\d+) already has that value/.exec(message))?.[1];
