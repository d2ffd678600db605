/** Why a note cannot be added or changed. */
export const NOTE_REFUSALS = {
  NOTE_NOT_FOUND: { code: 'NOT_FOUND', message: 'Note not found' },
  NOTE_OF_ANOTHER: { code: 'FORBIDDEN', message: 'Only the person who wrote this note can change or delete it' },
  NOTES_FULL: {
    code: 'CONFLICT',
    message: 'There are {count} notes here, the most that there can be. Delete some first',
  },
} as const
