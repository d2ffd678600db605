import { z } from 'zod'
import { StripeProblem } from './problem.ts'

// Everything in a form is text, so every number and flag is read from text.
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number)
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
export const text = z.string().min(1).max(5000)
export const webAddress = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })

/** A parameter that an empty string clears. */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal('').transform(() => null), schema])
}

/** Keys with an empty value are removed, and an empty string in place of the keys removes all. */
export const metadata = z.union([
  z.literal('').transform(() => null),
  z.record(z.string().min(1).max(40), z.string().max(500)),
])

export const Range = z.union([
  wholeNumber.transform((moment) => ({ gte: moment, lte: moment })),
  z.strictObject({
    gt: wholeNumber.optional(),
    gte: wholeNumber.optional(),
    lt: wholeNumber.optional(),
    lte: wholeNumber.optional(),
  }),
])

export function mergedMetadata(
  before: Record<string, string>,
  change: z.output<typeof metadata> | undefined,
): Record<string, string> {
  if (change === undefined) return before
  const merged = change === null ? {} : { ...before, ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}

/** Reads parameters, and refuses the first wrong one in Stripe's words. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw refusalOf(firstLeaf(parsed.error.issues))
}

type Issue = z.core.$ZodIssue

// Of the forms that a parameter may take, the one that got furthest says best what is wrong.
function firstLeaf(issues: readonly Issue[]): Issue | undefined {
  const [issue] = issues
  if (issue?.code !== 'invalid_union') return issue
  const furthest = issue.errors
    .map(firstLeaf)
    .filter((leaf) => leaf !== undefined)
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  return furthest ? { ...furthest, path: [...issue.path, ...furthest.path] } : issue
}

function refusalOf(issue: Issue | undefined): StripeProblem {
  const path = issue?.path ?? []
  const param = nameOf(path)
  if (issue?.code === 'unrecognized_keys') {
    const unknown = nameOf([...path, issue.keys[0] ?? ''])
    return new StripeProblem(400, `Received unknown parameter: ${unknown}`, {
      code: 'parameter_unknown',
      param: unknown,
    })
  }
  if (issue?.input === undefined) {
    return new StripeProblem(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.input === '') {
    return new StripeProblem(400, `You passed an empty string for '${param}'.`, {
      code: 'parameter_invalid_empty',
      param,
    })
  }
  return new StripeProblem(400, `Invalid ${param}: ${issue.message}`, { code: 'parameter_invalid', param })
}

/** As it stood in the form: `line_items[0][price]`. */
function nameOf(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String)
  return first + rest.map((part) => `[${part}]`).join('')
}
