/** Why a view cannot be saved. */
export const VIEW_REFUSALS = {
  VIEW_NOT_FOUND: { code: 'NOT_FOUND', message: 'View not found' },
  VIEW_NAME_TAKEN: { code: 'CONFLICT', message: 'Another view already has this name' },
  VIEWS_FULL: { code: 'CONFLICT', message: 'You can save up to {count} views. Delete some first' },
} as const
