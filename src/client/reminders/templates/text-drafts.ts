import { useState } from 'react'
import { DEFAULT_TEXTS, TEXT_KINDS, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { WriteText } from '#shared/schemas/reminder-texts.ts'
import type { Outputs } from '#client/api/trpc.ts'

export type SavedTexts = Outputs['reminders']['texts']

export interface TextDrafts {
  draftOf: (kind: TextKind) => ReminderText
  isChanged: (kind: TextKind) => boolean
  /** Whether anything is not saved. */
  anyChanged: boolean
  change: (kind: TextKind, changes: Partial<ReminderText>) => void
  discard: (kind: TextKind) => void
  /** Drops drafts equal to what was saved. */
  settle: (kind: TextKind, sent: ReminderText) => void
}

/** What is being written, over what is saved; each text by itself. */
export function useTextDrafts(saved: SavedTexts): TextDrafts {
  const [changed, setChanged] = useState<Partial<Record<TextKind, ReminderText>>>({})
  const draftOf = (kind: TextKind) => changed[kind] ?? saved[kind]
  const isChanged = (kind: TextKind) => !isSame(draftOf(kind), saved[kind])
  const put = (kind: TextKind, text: ReminderText | undefined) =>
    setChanged(({ [kind]: _before, ...others }) => (text ? { ...others, [kind]: text } : others))
  return {
    draftOf,
    isChanged,
    anyChanged: TEXT_KINDS.some(isChanged),
    change: (kind, changes) => {
      const { subject, body } = { ...draftOf(kind), ...changes }
      put(kind, { subject, body })
    },
    discard: (kind) => put(kind, undefined),
    settle: (kind, sent) =>
      setChanged((now) => (isSame(now[kind] ?? sent, sent) ? { ...now, [kind]: undefined } : now)),
  }
}

export function isDefault(kind: TextKind, text: ReminderText): boolean {
  return isSame(text, DEFAULT_TEXTS[kind])
}

/** What is wrong with each field of a text. */
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
