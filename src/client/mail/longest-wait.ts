const LONGEST_WAIT_MS = 5000

/** Ends once saving waits no longer to learn which emails will be sent. */
export function longestWait(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))
}
