/** Why a contact of a customer cannot be added or changed. */
export const CONTACT_REFUSALS = {
  CONTACT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Contact not found' },
  CONTACTS_FULL: {
    code: 'CONFLICT',
    message: 'This customer has {count} more contacts, the most that there can be. Delete one first',
  },
} as const
