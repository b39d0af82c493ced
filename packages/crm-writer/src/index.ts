export { type Activity, createActivity } from './activity';
export type { ClaimTimes } from './claim-times';
export { type Coalescer, createCoalescer } from './coalescer';
export { createCrmReader, type CrmReader, type CrmReaderDeps } from './crm-reader';
export { type CrmWriter, type CrmWriterDeps, createCrmWriter } from './crm-writer';
export { type CallKind, createPortalBudget, type PortalBudget } from './portal-budget';
export {
  type Admission,
  createPortalGates,
  freeAdmission,
  portalAnswer,
  type PortalGates,
  type PortalTrouble,
} from './portal-gates';
export {
  type CallContext, type CallObserver, type CallReport, createPortalSession, forNoUnit, type PortalSession,
  type PortalSessionDeps,
} from './portal-session';
export type { FileWork } from './file-work';
export { createTtlCache, type TtlCache } from './ttl-cache';
export { noEffects, type PortalBinding, type StoredEffects, type UnitContext, type UnitEffects } from './unit-context';
