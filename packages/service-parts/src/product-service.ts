import { createPortalBudget, type PortalBudget } from '@sluice/crm-writer';
import type { KeyValue } from '@sluice/ports';
import {
  type BaseDeclarations, createMonotonicClock, defineService, type ServiceApp, type ServiceContext, type ServiceDefinition,
  type SettingValues, type SharedProcess,
} from '@sluice/service-kit';
import { Announcement, type RunningInstances } from './announcement';

/** What every service of the product is composed with, besides what any service gets. */
export interface ProductContext<S> extends ServiceContext<S> {
  /** Base of the links handed out, without a slash at its end. */
  publicUrl: string;
  /** Which processes of the installation run. */
  instances: RunningInstances;
  /** The calls that CRM portals still allow. While Redis is away: the share of this process. */
  portalBudget: PortalBudget;
}

/** A service of the product as one value. `P`: what it stands on, behind the ports. */
export interface ProductServiceDefinition<D extends BaseDeclarations, P, A extends ServiceApp>
  extends Omit<ServiceDefinition<D, P, A>, 'compose'> {
  /** Whether it calls the CRM: then it has a share of the calls that a portal allows. */
  callsCrm: boolean;
  /** Adds what must run to the lifecycle, from the inside out, and what can be not ready to the health. */
  compose(parts: P, context: ProductContext<SettingValues<D>>): A;
}

/**
 * Declares a service of the product: `defineService`, and what all of them do alike. As a process of its own it announces itself
 * to the others; in a process that several share, that process knows who runs.
 */
export function productService<D extends BaseDeclarations, P extends { kv: KeyValue }, A extends ServiceApp>(
  { callsCrm, compose, ...definition }: ProductServiceDefinition<D, P, A>,
): ServiceDefinition<D, P, A> {
  const { name, version } = definition;
  return defineService({
    ...definition,
    compose: (parts: P, context: ServiceContext<SettingValues<D>>) => {
      const { shared, logger, lifecycle } = context;
      const { kv } = parts;
      const announcement = new Announcement({ kv, name, version, callsCrm, logger });
      const instances = shared ? instancesOf(shared, announcement) : announcement;
      const sharers = (): number => instances.crmCallers();
      const portalBudget = createPortalBudget({ kv, monotonicNow: createMonotonicClock(), sharers });
      const app = compose(parts, { ...context, publicUrl: publicUrlOf(context), instances, portalBudget });
      if (!shared) lifecycle.add('announcement', () => announcement.start(), () => announcement.stop());
      return app;
    },
  });
}

/** A process that several services share knows them all, and announces none. */
const instancesOf = (shared: SharedProcess, own: RunningInstances): RunningInstances => (
  { all: () => Promise.resolve(shared.services()), self: () => own.self(), crmCallers: () => 1 }
);

/** SLUICE_PUBLIC_URL, else this machine's own address. */
export function publicUrlOf(
  { settings, shared }: { settings: { port?: unknown; publicUrl?: unknown }; shared?: Pick<SharedProcess, 'publicUrl'> },
): string {
  if (shared) return shared.publicUrl;
  return typeof settings.publicUrl === 'string' ? settings.publicUrl : `http://localhost:${String(settings.port)}`;
}
