import { context, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'
import { getRPCMetadata, RPCType } from '@opentelemetry/core'
import type { FastifyInstance } from 'fastify'

/** Names the trace of each request by its route. Does nothing while nothing is traced. */
export function nameByRoute(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    const request = getRPCMetadata(context.active())
    if (request?.type === RPCType.HTTP && routeOptions.url !== undefined) request.route = routeOptions.url
  })
}

/** Traces this work as one, with attributes that are only made if it is traced. */
export function traced<T>(name: string, work: () => Promise<T>, attributes?: () => Attributes): Promise<T> {
  return trace.getTracer('traxx').startActiveSpan(name, async (span) => {
    if (attributes && span.isRecording()) span.setAttributes(attributes())
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** By which a line of the log is found from its trace; nothing while nothing is traced. */
export function traceOfLine(): { traceId?: string } {
  const span = trace.getActiveSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}
