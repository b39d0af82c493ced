import type { BoundedSend } from './create-s3-blob-store';

/** The store has times in seconds, rounded down. */
const clockStepMs = 1_000;

/**
 * Deletes the objects below a folder that were last put before a time, a page of the listing after another, and returns how many.
 * An object of that same second is left for the next run. The store cannot compare and delete atomically: an object that is put
 * again between the listing of a page and its deletion is deleted.
 */
export async function deleteOlderObjects(
  { bucket, folder, before, pageSize }: { bucket: string; folder: string; before: Date; pageSize: number },
  bounded: BoundedSend,
): Promise<number> {
  const list = (from: string | undefined) =>
    bounded((sdk, client, call) =>
      client.send(
        new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/`, ContinuationToken: from, MaxKeys: pageSize }),
        call,
      ),
    );
  const remove = (keys: string[]) =>
    bounded(async (sdk, client, call) => {
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      const { Errors = [] } = await client.send(new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete }), call);
      if (Errors[0]) throw Object.assign(new Error('not deleted'), { name: Errors[0].Code ?? 'not deleted' });
    });
  let deleted = 0;
  let from: string | undefined;
  do {
    const page = await list(from);
    const old = (page.Contents ?? [])
      .filter(({ LastModified }) => LastModified && LastModified.getTime() + clockStepMs <= before.getTime())
      .flatMap(({ Key }) => Key ?? []);
    if (old.length > 0) await remove(old);
    deleted += old.length;
    from = page.NextContinuationToken;
  } while (from !== undefined);
  return deleted;
}
