import * as z from 'zod/mini'
import { API_KEY_NAME_MAX, KEY_SCOPES } from '#shared/domain/api-key.ts'
import { isTimeZone } from '#shared/domain/day.ts'
import { day, name } from './fields.ts'
import { oneOf } from './filters.ts'

export const AdoptTimeZone = z.object({ timeZone: z.string().check(z.minLength(1), z.maxLength(64)) })
export type AdoptTimeZone = z.output<typeof AdoptTimeZone>

const NO_TIME_ZONE = 'Choose a time zone'

export const SetTimeZone = z.object({
  timeZone: z.string(NO_TIME_ZONE).check(z.maxLength(64), z.refine(isTimeZone, NO_TIME_ZONE)),
})
export type SetTimeZone = z.output<typeof SetTimeZone>

const NO_NAME = 'Name is required'
const NO_END_DAY = 'Choose the last day'

/** Without a scope, a key may do everything a key can; without an expiration date, it works until it is revoked. */
export const CreateApiKey = z.object({
  name: name(API_KEY_NAME_MAX, NO_NAME),
  scope: z._default(oneOf(KEY_SCOPES), 'all'),
  expiresOn: z._default(z.nullable(day(NO_END_DAY)), null),
})
export type CreateApiKey = z.output<typeof CreateApiKey>

const NO_EMAIL = 'Type the email address of your account'

export const DeleteAccount = z.object({
  email: z.string(NO_EMAIL).check(z.trim(), z.minLength(1, NO_EMAIL), z.maxLength(320)),
})
export type DeleteAccount = z.output<typeof DeleteAccount>

/** What has to be typed to delete an account: its email address, or this word if the address is not verified. */
export function deletionConfirmation(email: string): string {
  return email.toLowerCase() || 'delete'
}

export const EndSession = z.object({ id: z.string('Session ID is required').check(z.minLength(1), z.maxLength(100)) })
export type EndSession = z.output<typeof EndSession>

export const SignOutOthers = z.object({
  keep: z.string('Session ID is required').check(z.minLength(1), z.maxLength(100)),
})
export type SignOutOthers = z.output<typeof SignOutOthers>
