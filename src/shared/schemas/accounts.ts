import { z } from 'zod'
import { API_KEY_NAME_MAX } from '#shared/domain/api-key.ts'
import { isTimeZone } from '#shared/domain/day.ts'
import { spaced } from './fields.ts'

export const AdoptTimeZone = z.object({ timeZone: z.string().min(1).max(64) })
export type AdoptTimeZone = z.output<typeof AdoptTimeZone>

const NO_TIME_ZONE = 'Choose a time zone'

export const SetTimeZone = z.object({ timeZone: z.string(NO_TIME_ZONE).max(64).refine(isTimeZone, NO_TIME_ZONE) })
export type SetTimeZone = z.output<typeof SetTimeZone>

const NO_NAME = 'Name is required'

export const CreateApiKey = z.object({ name: spaced(API_KEY_NAME_MAX).refine((name) => name !== '', NO_NAME) })
export type CreateApiKey = z.output<typeof CreateApiKey>

const NO_EMAIL = 'Type the email address of the account'

export const DeleteAccount = z.object({ email: z.string(NO_EMAIL).trim().min(1, NO_EMAIL).max(320) })
export type DeleteAccount = z.output<typeof DeleteAccount>

export const SignOutOthers = z.object({ keep: z.string('Name the session to keep').min(1).max(100) })
export type SignOutOthers = z.output<typeof SignOutOthers>
