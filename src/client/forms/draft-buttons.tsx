import { Button, Group } from '@mantine/core'

interface DraftButtonsProps {
  label: string
  isChanged: boolean
  isSaving: boolean
  onCancel: () => void
  /** Without it, the button submits the form around it. */
  onSave?: () => void
}

/** Saves a draft, or drops it. */
export function DraftButtons({ label, isChanged, isSaving, onCancel, onSave }: DraftButtonsProps) {
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
