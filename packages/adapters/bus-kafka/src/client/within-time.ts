/**
 * The result of `work`, when it comes in time. It goes on in any case; its late failure is ignored.
 * @throws when it takes longer than `ms` milliseconds
 */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The broker took too long.')), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
