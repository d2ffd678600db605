import { DEFAULT_TEXTS, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { WriteText } from '#shared/schemas/reminder-texts.ts'
import { useDraft, type DraftControl } from '#client/forms/use-draft.ts'
import type { Outputs } from '#client/api/trpc.ts'

export type SavedTexts = Outputs['reminders']['texts']

export type TextDrafts = DraftControl<Record<TextKind, ReminderText>>

/** The templates being written, over those saved. */
export function useTextDrafts(saved: SavedTexts): TextDrafts {
  return useDraft<Record<TextKind, ReminderText>>(saved, isSame)
}

export function isDefault(kind: TextKind, text: ReminderText): boolean {
  return isSame(text, DEFAULT_TEXTS[kind])
}

/** What is wrong with each field of a template. */
export function wrongFields(kind: TextKind, { subject, body }: ReminderText): Partial<Record<string, string>> {
  const { error } = WriteText.safeParse({ kind, subject, body })
  const wrong = error?.issues.map(({ path, message }) => [path.join('.'), message] as const) ?? []
  return Object.fromEntries(wrong.toReversed())
}

/** The input of a preview or a test, with the chosen customer. */
export function previewInput(kind: TextKind, { subject, body }: ReminderText, customerId: number | null) {
  return { kind, subject, body, ...(customerId !== null && { customerId }) }
}

function isSame(one: ReminderText, other: ReminderText): boolean {
  return one.subject.trim() === other.subject.trim() && one.body.trim() === other.body.trim()
}
