import '@mantine/core/styles/Tabs.layer.css'
import { Skeleton, Stack, Tabs, VisuallyHidden } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { TEXT_KINDS, type TextKind } from '#shared/domain/reminder-text.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { TextEditor } from './text-editor.tsx'
import { useTextDrafts, type SavedTexts } from './text-drafts.ts'

const NAMES: Record<TextKind, string> = { reminder: 'Reminder', follow_up: 'Follow-up' }

/** Whom a text is shown for, as a field has it; null until one is chosen. */
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

/** What customers read before a renewal date and after it, in the words of the account. */
export function TextsScreen(props: TextsScreenProps) {
  const texts = trpc.reminders.texts.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <Stack gap="lg">
      <PageHeader title="Message Texts" description="What customers get before and after their renewal date" />
      {texts.error && (
        <ErrorState
          over={!texts.isLoadingError}
          message={failureText(texts.error, { failed: 'Failed to load the message templates' })}
          retrying={texts.isFetching}
          onRetry={() => void texts.refetch()}
        />
      )}
      {texts.isPending && <Placeholder />}
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
    <Tabs value={kind} onChange={(value) => onKind(value === 'follow_up' ? value : 'reminder')} keepMounted={false}>
      <Tabs.List aria-label="Message templates" mb="lg">
        {TEXT_KINDS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {drafts.isChanged(one) ? `${NAMES[one]} (not saved)` : NAMES[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TEXT_KINDS.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <TextEditor kind={one} drafts={drafts} customerId={customerId} picker={picker} />
        </Tabs.Panel>
      ))}
      <UnsavedChanges isDirty={drafts.anyChanged} />
    </Tabs>
  )
}

function Placeholder() {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>Loading...</VisuallyHidden>
      {[36, 60, 320].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  )
}
