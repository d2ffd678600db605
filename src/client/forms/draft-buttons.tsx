import { Button, Group } from '@mantine/core'
import { useReadOnlyReason } from '#client/api/use-read-only.ts'
import { ReadOnlyNote } from './read-only.tsx'

interface DraftButtonsProps {
  label: string
  isChanged: boolean
  isSaving: boolean
  onCancel: () => void
  /** Without it, the button submits the form around it. */
  onSave?: () => void
}

/** Saves a draft, or drops it. In a read-only account it says why it cannot be saved. */
export function DraftButtons({ label, isChanged, isSaving, onCancel, onSave }: DraftButtonsProps) {
  if (useReadOnlyReason() !== undefined) return <ReadOnlyNote />
  return (
    <Group justify="flex-end" gap="sm">
      {isChanged && (
        <Button variant="default" disabled={isSaving} onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button {...(onSave ? { onClick: onSave } : { type: 'submit' as const })} disabled={!isChanged || isSaving}>
        {isSaving ? 'Saving...' : label}
      </Button>
    </Group>
  )
}
