import { setTimeout as pause } from 'node:timers/promises'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node'

/** What could name a person, hold the token of a link, or quote a value: MikroORM writes some into the statement. */
const PERSONAL =
  /^(url\.|http\.(url|target|user_agent|client_ip)|client\.|network\.peer|net\.(peer|sock)|user_agent\.|db\.(user|statement|query|connection))/

const FLUSH_MS = 3000

class WithoutPersonalData extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    for (const name of Object.keys(span.attributes)) if (PERSONAL.test(name)) delete span.attributes[name]
    super.onEnd(span)
  }
}

/**
 * Sends a trace of each request and job to a collector: its HTTP calls and its statements, without values. To be called
 * before the modules that it instruments are loaded. `endpoint` is the collector's base URL, as of OTLP over HTTP. Returns
 * what sends the last ones before the process ends; a collector that is away is waited for a few seconds.
 */
export function startTracing(endpoint: string): () => Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const resource = resourceFromAttributes({ 'service.name': 'traxx' })
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new WithoutPersonalData(exporter)] })
  provider.register()
  registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new PgInstrumentation()] })
  return async () => {
    await Promise.race([provider.shutdown().catch(() => {}), pause(FLUSH_MS, undefined, { ref: false })])
  }
}
