/** Why many contracts cannot be changed at once, or that cannot be undone. */
export const BULK_REFUSALS = {
  BULK_NOT_FOUND: { code: 'NOT_FOUND', message: 'This change of many contracts was not found' },
  BULK_EMPTY: { code: 'NOT_FOUND', message: 'No contract matches' },
  BULK_RUNNING: {
    code: 'CONFLICT',
    message: 'Another change of many contracts is still running. Try again when it is done',
  },
  BULK_NOT_DONE: { code: 'CONFLICT', message: 'This change is still running. Undo it when it is done' },
  BULK_FINAL: { code: 'CONFLICT', message: 'Reminders cannot be undone: they are emails to your customers' },
  BULK_UNDONE: { code: 'CONFLICT', message: 'This change has been undone already' },
} as const
