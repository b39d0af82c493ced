/**
 * Why work is done. The calls that a portal of the CRM allows are shared by class, in this order: live events first. Each of the
 * others has a small share that is its own, so that none waits for ever (docs/architecture.md, What goes first).
 */
export const workClasses = ['live', 'replay', 'import', 'verification'] as const;
export type WorkClass = (typeof workClasses)[number];

/** Whether work of class `a` goes before that of class `b`. */
export const goesBefore = (a: WorkClass, b: WorkClass): boolean => workClasses.indexOf(a) < workClasses.indexOf(b);

/** The class that goes first. @param classes at least one */
export const highestOf = (classes: readonly WorkClass[]): WorkClass =>
  classes.reduce((highest, one) => (goesBefore(one, highest) ? one : highest));
