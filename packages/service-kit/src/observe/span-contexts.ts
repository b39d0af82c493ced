import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/**
 * Which trace context is active, across awaits. Up to Node 22 its first use makes every promise of the process call hooks, which
 * more than doubles what an `await` takes, until `disable` (ADR 0390).
 */
export class SpanContexts implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT;
  }

  with<Args extends unknown[], Work extends (...args: Args) => ReturnType<Work>>(
    active: Context, work: Work, self?: ThisParameterType<Work>, ...args: Args
  ): ReturnType<Work> {
    return this.storage.run(active, () => work.apply(self, args));
  }

  /** Only functions can be bound: nothing here binds the listeners of an emitter. */
  bind<T>(active: Context, target: T): T {
    if (typeof target !== 'function') return target;
    return ((...args: unknown[]) => this.storage.run(active, () => target(...args))) as T;
  }

  enable(): this {
    return this;
  }

  /** No context is active any more. The next `with` enables it again. */
  disable(): this {
    this.storage.disable();
    return this;
  }
}
