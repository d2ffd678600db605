import { z } from 'zod'
import { API_KEY_NAME_MAX, KEY_SCOPES } from '#shared/domain/api-key.ts'
import { isTimeZone } from '#shared/domain/day.ts'
import { day, name, oneOf } from './fields.ts'

export const AdoptTimeZone = z.object({ timeZone: z.string().min(1).max(64) })
export type AdoptTimeZone = z.output<typeof AdoptTimeZone>

const NO_TIME_ZONE = 'Choose a time zone'

export const SetTimeZone = z.object({ timeZone: z.string(NO_TIME_ZONE).max(64).refine(isTimeZone, NO_TIME_ZONE) })
export type SetTimeZone = z.output<typeof SetTimeZone>

const NO_NAME = 'Name is required'
const NO_END_DAY = 'Choose the last day'

/** Without a scope a key may do all that a key can, and without a last day it works until it is revoked. */
export const CreateApiKey = z.object({
  name: name(API_KEY_NAME_MAX, NO_NAME),
  scope: oneOf(KEY_SCOPES).default('all'),
  expiresOn: day(NO_END_DAY).nullable().default(null),
})
export type CreateApiKey = z.output<typeof CreateApiKey>

const NO_EMAIL = 'Type the email address of the account'

export const DeleteAccount = z.object({ email: z.string(NO_EMAIL).trim().min(1, NO_EMAIL).max(320) })
export type DeleteAccount = z.output<typeof DeleteAccount>

export const EndSession = z.object({ id: z.string('Name the session').min(1).max(100) })
export type EndSession = z.output<typeof EndSession>

export const SignOutOthers = z.object({ keep: z.string('Name the session to keep').min(1).max(100) })
export type SignOutOthers = z.output<typeof SignOutOthers>
