/** How many calls one request to tRPC carries at most. */
export const MAX_CALLS_IN_BATCH = 10
