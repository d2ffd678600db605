import type { Finding } from './finding.ts'

/** Tokens and signatures are refused when clocks differ by more. */
const MOST_SECONDS_APART = 5

/** Compares this machine's clock with another one. */
export function clockFinding(whose: string, theirMs: number, nowMs = Date.now()): Finding {
  const seconds = Math.round((nowMs - theirMs) / 1000)
  if (Math.abs(seconds) <= MOST_SECONDS_APART)
    return { check: 'Clock', state: 'ok', text: `It agrees with that of ${whose}` }
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return {
    check: 'Clock',
    state: 'problem',
    text: `This machine's clock is ${Math.abs(seconds)} seconds ${direction} that of ${whose}. Let NTP set it, or sign-in and webhooks are refused`,
  }
}
