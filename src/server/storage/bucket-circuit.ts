import { openCircuit, type Circuit } from '#server/outside/circuit.ts'

/** Until the bucket answers. */
const LIMIT_MS = 10_000

/** For `openS3Files`. Separate, since that loads Amazon's SDK. */
export function bucketCircuit(limitMs = LIMIT_MS): Circuit {
  return openCircuit({ service: 'bucket', limitMs, isAway })
}

/** Without a status, nothing was answered. */
function isAway(error: unknown): boolean {
  const { $metadata }: { $metadata?: { httpStatusCode?: number } } = Object(error)
  return !($metadata?.httpStatusCode && $metadata.httpStatusCode < 500)
}
