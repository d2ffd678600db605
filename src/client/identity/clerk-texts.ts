import { isClerkAPIResponseError, isClerkRuntimeError } from '@clerk/clerk-react/errors'
import { FAULT, NETWORK_ERROR } from '#client/api/rest-failure.ts'

export interface RefusalTexts {
  /** The identity provider's words, by the field they are about. */
  fields: Record<string, string>
  /** What is not about one of the form's fields. */
  failure: string | undefined
}

/** What to show of an error of the identity provider in a form with these fields. */
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

/** The provider writes `email_address` where the form's field is `emailAddress`. */
function fieldName(meta: { paramName?: string } | undefined): string | undefined {
  return meta?.paramName?.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function textOf(error: unknown): string {
  if (isClerkRuntimeError(error) && /network|offline/.test(error.code)) return NETWORK_ERROR
  return error instanceof Error && error.message !== '' ? error.message : FAULT
}
