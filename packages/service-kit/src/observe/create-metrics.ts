import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

type Labels = Record<string, string | number>;

export interface CounterMetric {
  inc(labels?: Labels, by?: number): void;
}
export interface GaugeMetric {
  set(value: number, labels?: Labels): void;
  inc(labels?: Labels, by?: number): void;
  dec(labels?: Labels, by?: number): void;
  /** Forgets all label combinations that were set through it, for gauges that are filled anew on each read. */
  reset(): void;
}
export interface HistogramMetric {
  observe(value: number, labels?: Labels): void;
  /** Starts a clock; the returned function observes the seconds since. */
  start(labels?: Labels): (more?: Labels) => number;
}

/** A metric's name without prefix and unit suffix rules broken: `events_accepted_total`, `crm_call_seconds`. */
export interface MetricSpec {
  name: string;
  help: string;
  labels?: readonly string[];
}

/**
 * Metrics of one service. Every name gets the prefix `sluice_`, every series the label `service`; asking twice for
 * one name gives the same metric. Services of one process share a registry through `forService`.
 */
export interface Metrics {
  counter(spec: MetricSpec): CounterMetric;
  /** `collect` runs before each read of /metrics and may set the gauge. */
  gauge(spec: MetricSpec, collect?: (gauge: GaugeMetric) => void | Promise<void>): GaugeMetric;
  /** @param buckets upper bounds, in seconds for a name that ends in `_seconds` */
  histogram(spec: MetricSpec & { buckets?: readonly number[] }): HistogramMetric;
  /** The same registry under another service's name (several services in one process). */
  forService(service: string): Metrics;
  contentType: string;
  /** All metrics of the registry in the Prometheus text format. */
  render(): Promise<string>;
}

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates a registry with the process's default metrics. */
export function createMetrics({ service }: { service: string }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return metricsOf(registry, service, new Map());
}

type Collectors = Map<string, (() => void | Promise<void>)[]>;

function metricsOf(registry: Registry, service: string, collectors: Collectors): Metrics {
  const own = { service };
  // Not `{ ...labels, service }`, which makes a hidden class for each object (docs/performance.md).
  const withService = (labels?: Labels): Labels => Object.assign({}, labels, own);
  return {
    counter: (spec) => {
      const metric = known(registry, checked(spec, /_total$/), (config) => new Counter(config));
      return { inc: (labels, by = 1) => metric.inc(withService(labels), by) };
    },
    gauge: (spec, collect) => {
      const hooks = hooksOf(collectors, spec.name);
      const metric = known(
        registry,
        checked(spec, /(?<!_total)$/),
        (config) => new Gauge({ ...config, collect: async () => void (await Promise.all(hooks.map((hook) => hook()))) }),
      );
      const gauge = gaugeOf(metric, withService);
      if (collect) hooks.push(() => collect(gauge));
      return gauge;
    },
    histogram: ({ buckets = latencyBuckets, ...spec }) => {
      const metric = known(
        registry,
        checked(spec, /_(seconds|bytes|records|messages|ratio)$/),
        (config) => new Histogram({ ...config, buckets: [...buckets] }),
      );
      return {
        observe: (value, labels) => metric.observe(withService(labels), value),
        start: (labels) => {
          const end = metric.startTimer(withService(labels));
          return (more) => end(more);
        },
      };
    },
    forService: (other) => metricsOf(registry, other, collectors),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function gaugeOf(metric: Gauge, withService: (labels?: Labels) => Labels): GaugeMetric {
  // Services of one process share the metric: what another has set stays.
  const own = new Map<string, Labels>();
  return {
    set: (value, labels) => {
      own.set(JSON.stringify(labels), withService(labels));
      metric.set(withService(labels), value);
    },
    inc: (labels, by = 1) => metric.inc(withService(labels), by),
    dec: (labels, by = 1) => metric.dec(withService(labels), by),
    reset: () => {
      for (const labels of own.values()) metric.remove(labels);
      own.clear();
    },
  };
}

function hooksOf(collectors: Collectors, name: string): (() => void | Promise<void>)[] {
  const hooks = collectors.get(name) ?? [];
  collectors.set(name, hooks);
  return hooks;
}

/** Throws on a name against Prometheus's conventions: a bug of the caller. */
function checked(spec: MetricSpec, suffix: RegExp): MetricSpec {
  if (!/^[a-z][a-z0-9_]*$/.test(spec.name) || spec.name.startsWith('sluice_') || !suffix.test(spec.name)) {
    throw new Error(`metric "${spec.name}": not a usable name (expected ${suffix.source}, without the prefix)`);
  }
  return spec;
}

interface MetricConfig {
  name: string;
  help: string;
  labelNames: string[];
  registers: Registry[];
}

function known<M>(registry: Registry, spec: MetricSpec, create: (config: MetricConfig) => M): M {
  const name = `sluice_${spec.name}`;
  const found = registry.getSingleMetric(name) as M | undefined;
  return found ?? create({ name, help: spec.help, labelNames: [...(spec.labels ?? []), 'service'], registers: [registry] });
}
