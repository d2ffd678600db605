/** What one check found. */
export interface Finding {
  check: string
  /** `problem`: TRAXX does not work as it should. `warning`: it may not tomorrow, or could not be checked. */
  state: 'ok' | 'warning' | 'problem'
  /** What is so, and what to do about it. */
  text: string
}

export type Check = () => Promise<Finding[]>

/** Runs checks one after another; one that fails is a problem of its own, and others go on. */
export async function runChecks(checks: readonly (readonly [name: string, check: Check])[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check()))
    } catch (error) {
      findings.push({ check: name, state: 'problem', text: textOf(error) })
    }
  }
  return findings
}

/** In one line. An error of several addresses has a code for all of them, but no message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message || ('code' in error ? String(error.code) : error.name)
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
