import type { CrmRecords } from '@sluice/ports';
import type { Activity } from './activity';

type Call<A, R> = (request: A) => Promise<R>;

/**
 * Counts a unit once for each of the calls that it has under way. A call that waits takes one away from those that are active:
 * were the unit counted once, several calls at a time would make the count negative, and no batch would start.
 */
export function sideBySide(activity: Activity, records: CrmRecords): CrmRecords {
  let underWay = 0;
  const counted =
    <A, R>(call: Call<A, R>): Call<A, R> =>
    async (request) => {
      if (underWay > 0) activity.enter();
      underWay += 1;
      try {
        return await call(request);
      } finally {
        underWay -= 1;
        if (underWay > 0) activity.leave();
      }
    };
  return {
    upsert: counted(records.upsert),
    update: counted(records.update),
    updateById: counted(records.updateById),
    find: counted(records.find),
    query: counted(records.query),
    associated: counted(records.associated),
    associate: counted(records.associate),
    create: counted(records.create),
    remove: counted(records.remove),
    dissociate: counted(records.dissociate),
    promote: counted(records.promote),
  };
}
