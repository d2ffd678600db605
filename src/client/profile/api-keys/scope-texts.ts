import type { KeyScope } from '#shared/domain/api-key.ts'

/** The name of each scope of an API key, and what it allows. */
export const SCOPE_TEXTS: Record<KeyScope, { label: string; description: string }> = {
  read: { label: 'Read', description: 'View customers, contracts, reminders, and figures' },
  write: {
    label: 'Read and write',
    description: 'Also change and delete customers and contracts, accept answers, and email customers',
  },
  all: { label: 'Everything', description: 'Also import files, change settings, and export the whole account' },
}
