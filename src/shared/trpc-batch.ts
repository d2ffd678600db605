/** The most calls in one request to tRPC. */
export const MAX_CALLS_IN_BATCH = 10
