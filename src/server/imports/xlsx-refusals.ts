import type { RefusalKey } from '#shared/errors.ts'

/** The number under which the process finds the open spreadsheet. */
export const SPREADSHEET_FILE = 3

/** How the process says why it refuses a file, by its exit code. Node itself uses those below 64, the shell those from 126. */
const REFUSALS_BY_EXIT = new Map<number, RefusalKey>([
  [64, 'IMPORT_UNREADABLE'],
  [65, 'IMPORT_SHEET_TOO_LARGE'],
  [66, 'IMPORT_TOO_MANY_ROWS'],
  [67, 'IMPORT_TOO_MANY_COLUMNS'],
])

export function refusalOfExit(code: number | null): RefusalKey | undefined {
  return code === null ? undefined : REFUSALS_BY_EXIT.get(code)
}

export function exitCodeOf(key: RefusalKey): number | undefined {
  return [...REFUSALS_BY_EXIT].find(([, refusal]) => refusal === key)?.[0]
}
