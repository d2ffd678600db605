import '@mantine/core/styles/Tabs.layer.css'
import { Stack, Tabs, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { TEXT_KINDS, type TextKind } from '#shared/domain/reminder-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { TextEditor } from './text-editor.tsx'
import { useTextDrafts, type SavedTexts } from './text-drafts.ts'

const NAMES: Record<TextKind, string> = {
  reminder: 'Renewal by agreement',
  reminder_automatic: 'Automatic renewal',
  reminder_never: 'No renewal',
  follow_up: 'Follow-up',
  confirmation: 'Renewal confirmation',
  notice: 'Notice',
}

/** Which messages a template is for. */
const USES: Record<TextKind, string> = {
  reminder: 'Reminders before the renewal date of contracts that renew by agreement.',
  reminder_automatic: 'Reminders before the renewal date of contracts that renew automatically.',
  reminder_never: 'Reminders of contracts that do not renew, or that you have decided to end.',
  follow_up: 'Messages after the renewal date of contracts that are still open.',
  confirmation:
    'Tells customers that their contract has been renewed, if you choose this when you renew it or in the settings.',
  notice:
    'The notice that a notice rule requires, sent by email if the rule accepts email. It must say everything that a rule can require.',
}

/** The customer the preview is for, as a form field; null until one is chosen. */
interface Picked {
  customerId: number | null
  customerName: string
}

interface TextsScreenProps {
  kind: TextKind
  onKind: (kind: TextKind) => void
  /** A field in which a customer can be chosen. */
  customerPicker: (field: { chosen: number | null; text: string; onPick: (picked: Picked) => void }) => ReactNode
}

/** The account's templates of reminders, by how a contract renews, of follow-ups, and of confirmations. */
export function TextsScreen(props: TextsScreenProps) {
  const texts = trpc.reminders.texts.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <Stack gap="lg">
      <PageHeader title="Email Templates" description="What customers get before and after their renewal date" />
      <QueryError query={texts} failed="Failed to load the message templates" />
      {texts.isPending && <Placeholder heights={[36, 60, 320]} />}
      {texts.data && <Editors {...props} saved={texts.data} />}
    </Stack>
  )
}

interface EditorsProps extends TextsScreenProps {
  saved: SavedTexts
}

function Editors({ kind, onKind, customerPicker, saved }: EditorsProps) {
  const drafts = useTextDrafts(saved)
  const [{ customerId, customerName }, setPicked] = useState<Picked>({ customerId: null, customerName: '' })
  const picker = customerPicker({ chosen: customerId, text: customerName, onPick: setPicked })
  return (
    <Tabs
      value={kind}
      onChange={(value) => onKind(TEXT_KINDS.find((one) => one === value) ?? 'reminder')}
      keepMounted={false}
    >
      <Tabs.List aria-label="Message templates" mb="lg">
        {TEXT_KINDS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {one in drafts.changed ? `${NAMES[one]} (not saved)` : NAMES[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TEXT_KINDS.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <Text c="dimmed" mb="md">
            {USES[one]}
          </Text>
          <TextEditor kind={one} drafts={drafts} customerId={customerId} picker={picker} />
        </Tabs.Panel>
      ))}
      <UnsavedChanges isDirty={drafts.isChanged} />
    </Tabs>
  )
}
