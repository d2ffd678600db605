/** Why a tag cannot be changed or added. */
export const TAG_REFUSALS = {
  TAG_NOT_FOUND: { code: 'NOT_FOUND', message: 'Tag not found' },
  TAGS_FULL: { code: 'CONFLICT', message: 'You can have up to {count} different tags. Delete some first' },
} as const
