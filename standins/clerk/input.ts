import { z } from 'zod'
import { ClerkError, isClerkErrorCode } from './errors.ts'

// PostgreSQL text cannot hold a NUL.
const Text = z
  .string({ error: ({ input }) => (input === undefined ? 'form_param_nil' : 'form_param_format_invalid') })
  .refine((text) => !text.includes('\u0000'), 'form_param_format_invalid')

/** Compared and kept in lower case. */
export const EmailAddress = Text.max(254).toLowerCase().pipe(z.email())
export const Password = Text.min(8, 'form_password_length_too_short').max(72, 'form_password_length_too_long')
/** What was typed as one: wrong or right, of any length a person would type. */
export const TypedPassword = Text.max(1000)
export const Code = Text.max(100).transform((code) => code.trim())
export const Flag = z.union([z.boolean(), z.stringbool()])
export const Name = Text.trim()
  .max(256)
  .transform((name) => name || null)
export const Id = z.string().regex(/^[a-z]+_\w{1,40}$/)

/** Parses what came from outside. The issues of a schema are Clerk's codes, or become `form_param_format_invalid`. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [first, ...others] = parsed.error.issues.map(faultOf)
  throw new ClerkError(first?.code ?? 'request_body_invalid', first?.param, others)
}

/** The identifier in an address; one that cannot be is not found. */
export function parseId(params: unknown): string {
  const parsed = z.object({ id: Id }).safeParse(params)
  if (!parsed.success) throw new ClerkError('resource_not_found')
  return parsed.data.id
}

function faultOf(issue: z.core.$ZodIssue) {
  if (issue.code === 'unrecognized_keys') return { code: 'form_param_unknown', param: issue.keys[0] } as const
  const code = isClerkErrorCode(issue.message) ? issue.message : 'form_param_format_invalid'
  return { code, param: issue.path[0]?.toString() }
}
