import { context, propagation, trace } from '@opentelemetry/api';
import { ConfigError } from '../../config.ts';
import { disableTracing, enableTracing, isTracing } from './tracer.ts';

type Environment = { readonly [name: string]: string | undefined };

const INSTALL =
  'Traces are turned on by OTEL_* variables, and require packages that are not installed by default: npm install --no-save @opentelemetry/sdk-trace-node@2.12.0 @opentelemetry/exporter-trace-otlp-http@0.223.0';

/** Whether the standard variables of OpenTelemetry name a place for traces. */
export function wantsTraces(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(env.OTEL_TRACES_EXPORTER || env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/**
 * Starts OpenTelemetry's SDK, which reads its other settings from the environment: endpoint, headers, sampler, batches,
 * resource.
 * @returns a function that sends the remaining spans and ends tracing; null if it is off
 * @throws {ConfigError} when the SDK is not installed, or the exporter is not known
 */
export async function startTracing(env: Environment, version: string): Promise<(() => Promise<void>) | null> {
  if (!wantsTraces(env)) return null;
  const exporterName = env.OTEL_TRACES_EXPORTER || 'otlp';
  if (exporterName !== 'otlp' && exporterName !== 'console')
    throw new ConfigError(`OTEL_TRACES_EXPORTER: ${exporterName} is not supported; use otlp, console or none.`);
  // Several gateways in one process, as in tests, share the tracing of the first.
  if (isTracing()) return null;
  const { sdk, resources, otlp } = await loadSdk();
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'colloquy', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [
      new sdk.BatchSpanProcessor(
        exporterName === 'otlp' ? new otlp.OTLPTraceExporter() : new sdk.ConsoleSpanExporter(),
      ),
    ],
  });
  provider.register();
  enableTracing(version);
  return async () => {
    disableTracing();
    // An unavailable collector must not prevent the shutdown.
    await provider.shutdown().catch(() => undefined);
    for (const api of [trace, context, propagation]) api.disable();
  };
}

async function loadSdk() {
  try {
    const [sdk, resources, otlp] = await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    return { sdk, resources, otlp };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw new ConfigError(INSTALL);
    throw error;
  }
}
