import { isDeepStrictEqual } from 'node:util'

/** The versions that a change may be based on; undefined if any. */
export interface Seen {
  ifVersion?: readonly number[] | undefined
}

/** For a change that names one version, or none. */
export function seen(version: number | undefined): Seen {
  return { ifVersion: version === undefined ? undefined : [version] }
}

/** Whether somebody has changed a row since the version that was seen. */
export function isOvertaken({ version = 1 }: { version?: number }, { ifVersion }: Seen): boolean {
  return ifVersion !== undefined && !ifVersion.includes(version)
}

/**
 * What a caller needs to know about a change that was not saved: the current row, and which sent fields differ from it.
 */
export function whatDiffers<View extends object>(current: View, sent: Readonly<Record<string, unknown>>) {
  const now = new Map<string, unknown>(Object.entries(current))
  const differs = Object.keys(sent).filter(
    (name) => now.has(name) && sent[name] !== undefined && !isDeepStrictEqual(sent[name], now.get(name)),
  )
  return { current, differs }
}
