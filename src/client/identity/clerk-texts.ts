import { isClerkAPIResponseError, isClerkRuntimeError } from '@clerk/clerk-react/errors'
import { FAULT, NETWORK_ERROR } from '#client/api/rest-failure.ts'

export interface RefusalTexts {
  /** Clerk's messages, by field. */
  fields: Record<string, string>
  /** The first message that is not about a field of the form. */
  failure: string | undefined
}

/** Clerk's messages for a form with these fields. */
export function clerkTexts(error: unknown, fieldNames: readonly string[]): RefusalTexts {
  if (!isClerkAPIResponseError(error)) return { fields: {}, failure: textOf(error) }

  const texts: RefusalTexts = { fields: {}, failure: undefined }
  for (const { meta, longMessage, message } of error.errors) {
    const name = fieldName(meta)
    const text = longMessage || message
    if (name !== undefined && fieldNames.includes(name)) texts.fields[name] ??= text
    else texts.failure ??= text
  }
  return texts
}

/** Whether Clerk refuses because the address is verified already. */
export function isAlreadyVerified(error: unknown): boolean {
  return isClerkAPIResponseError(error) && error.errors.some(({ code }) => code === 'verification_already_verified')
}

/** Clerk writes `email_address` for `emailAddress`. */
function fieldName(meta: { paramName?: string } | undefined): string | undefined {
  return meta?.paramName?.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function textOf(error: unknown): string {
  if (isClerkRuntimeError(error) && /network|offline/.test(error.code)) return NETWORK_ERROR
  return error instanceof Error && error.message !== '' ? error.message : FAULT
}
