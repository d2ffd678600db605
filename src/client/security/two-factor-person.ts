import type { UserResource } from '@clerk/clerk-react/types'

/** What Clerk lets somebody do about their second factor. */
export type TwoFactorPerson = Pick<
  UserResource,
  'totpEnabled' | 'createTOTP' | 'verifyTOTP' | 'disableTOTP' | 'createBackupCode'
>
