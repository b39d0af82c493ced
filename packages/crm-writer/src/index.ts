export { type Activity, createActivity } from './batching/activity';
export type { ClaimTimes } from './state/claim-times';
export { type Coalescer, createCoalescer } from './batching/coalescer';
export { createCrmReader, type CrmReader, type CrmReaderDeps } from './crm-reader';
export { type CrmWriter, type CrmWriterDeps, createCrmWriter } from './crm-writer';
export { type CallKind, createPortalBudget, type PortalBudget } from './session/portal-budget';
export {
  createPortalGates, type PortalAdmission, portalAnswer, type PortalGates, type PortalTrouble,
} from './session/portal-gates';
export {
  type CallContext, type CallObserver, type CallReport, createPortalSession, forNoUnit, type PortalSession,
  type PortalSessionDeps,
} from './session/portal-session';
export type { FileWork } from './files/file-work';
export { createTtlCache, type TtlCache } from './shared/ttl-cache';
export { noEffects, type PortalBinding, type StoredEffects, type UnitContext, type UnitEffects } from './shared/unit-context';
