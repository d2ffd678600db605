import type { RefusalKey } from '#shared/errors.ts'

/** The number under which the process finds the open spreadsheet. */
export const SPREADSHEET_FILE = 3

/** How the process says why it refuses a file, by its exit code. */
const REFUSALS_BY_EXIT = new Map<number, RefusalKey>([
  [10, 'IMPORT_UNREADABLE'],
  [11, 'IMPORT_SHEET_TOO_LARGE'],
  [12, 'IMPORT_TOO_MANY_ROWS'],
  [13, 'IMPORT_TOO_MANY_COLUMNS'],
])

export function refusalOfExit(code: number | null): RefusalKey | undefined {
  return code === null ? undefined : REFUSALS_BY_EXIT.get(code)
}

export function exitCodeOf(key: RefusalKey): number | undefined {
  return [...REFUSALS_BY_EXIT].find(([, refusal]) => refusal === key)?.[0]
}
