const HOUR_MS = 3_600_000

interface Limits {
  /** How often each sender may pass in an hour. */
  each: number
  /** How often all of them together: neither a mailbox nor this memory is filled from many addresses. */
  all: number
}

/** Tells whether a sender may pass once more, and counts it if so. */
export function hourlyLimit({ each, all }: Limits): (sender: string, now: Date) => boolean {
  let passed: { sender: string; at: number }[] = []
  return (sender, now) => {
    const at = now.getTime()
    passed = passed.filter((one) => one.at > at - HOUR_MS)
    const isFull = passed.length >= all || passed.filter((one) => one.sender === sender).length >= each
    if (!isFull) passed.push({ sender, at })
    return !isFull
  }
}
