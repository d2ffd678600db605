/** For responses that are no page: opened as one, they may load nothing. */
export const CALLS_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** For files that people have uploaded, and that browsers show. */
export const FILES_POLICY = `${CALLS_POLICY}; sandbox`
