import * as z from 'zod/mini'
import { missingContents } from '#shared/domain/notice-contents.ts'
import { blocksOf, TEXT_KINDS, TEXT_VARIABLES, textFault, type TextFault } from '#shared/domain/reminder-text.ts'
import { Id, line, lines } from './fields.ts'
import { oneOf } from './filters.ts'

/** The most characters in a subject and a body. */
export const TEXT_LENGTHS = { subject: 200, body: 5000 }

/** Identifies one of the templates. */
export const TextOfKind = z.object({ kind: oneOf(TEXT_KINDS) })
export type TextOfKind = z.output<typeof TextOfKind>

const Text = z.object({
  ...TextOfKind.shape,
  subject: line(TEXT_LENGTHS.subject, 'Enter a subject'),
  body: lines(TEXT_LENGTHS.body, 'Enter a message'),
})

const knownVariables = z.superRefine<z.output<typeof Text>>(({ kind, subject, body }, ctx) => {
  const names = Object.keys(TEXT_VARIABLES[kind])
  const wrong = { subject: faultText(subject, names), body: faultText(body, [...names, ...blocksOf(kind)]) }
  for (const [field, message] of Object.entries(wrong)) {
    if (message) ctx.addIssue({ code: 'custom', path: [field], message })
  }
})

const requiredContents = z.superRefine<z.output<typeof Text>>(({ kind, body }, ctx) => {
  const isRight = !faultText(body, [...Object.keys(TEXT_VARIABLES[kind]), ...blocksOf(kind)])
  const missing = kind === 'notice' && isRight ? missingContents(body) : []
  if (missing.length === 0) return
  const added = missing.map(({ variable, says }) => `${braced(variable)} (${says})`)
  const message = `A notice has to say all that a rule can require. Add ${added.join(', ')}`
  ctx.addIssue({ code: 'custom', path: ['body'], message })
})

/** A template as it may have been saved when less was required of a notice. */
export const SavedText = Text.check(knownVariables)

/** A template as an account writes it. An unknown variable is refused and named, and so is what a notice lacks. */
export const WriteText = Text.check(knownVariables, requiredContents)
export type WriteText = z.output<typeof WriteText>

/** A template that is previewed or tested before it is saved, with a contract as an example if one was chosen. */
export const TryText = z.object({ ...Text.shape, customerId: z.optional(Id) }).check(knownVariables, requiredContents)
export type TryText = z.output<typeof TryText>

function faultText(text: string, names: string[]): string | undefined {
  const wrong = textFault(text, names)
  return wrong && FAULTS[wrong.fault](('variable' in wrong && wrong.variable) || '', names)
}

const FAULTS: Record<TextFault['fault'], (variable: string, names: string[]) => string> = {
  unknown: (variable, names) => `{{${variable}}} is not a variable here. You can use ${names.map(braced).join(', ')}`,
  braces: () => 'A variable is written with two braces on each side, as in {{customer}}',
  single: (variable) => `A variable is written with two braces on each side: {{${variable}}}`,
  block: (variable) => `{{${variable}}} must be on a line of its own`,
}

function braced(name: string): string {
  return `{{${name}}}`
}
