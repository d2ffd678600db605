import { Button, Group, Text, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useBillingPortal } from '#client/api/use-billing-portal.ts'
import { useMayUpdateCard, useReadOnlyGuard, useReadOnlyReason } from '#client/api/use-read-only.ts'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'

/** Fields and buttons of a form. In a read-only account all of them are disabled. */
export function EditableFields({ children }: { children: ReactNode }) {
  const isReadOnly = useReadOnlyReason() !== undefined
  return (
    <fieldset disabled={isReadOnly} style={{ display: 'contents' }}>
      {children}
    </fieldset>
  )
}

/** Why nothing can be saved, and where that helps, the button that leads to the card. Nothing in an account that can save. */
export function ReadOnlyNote() {
  const reason = useReadOnlyReason()
  const mayUpdateCard = useMayUpdateCard()
  if (reason === undefined) return null
  return (
    <Group gap="sm" justify="flex-end" role="note">
      <Text size="sm" flex="1 1 16rem">
        {reason}
      </Text>
      {mayUpdateCard && <UpdateCard />}
    </Group>
  )
}

function UpdateCard() {
  const portal = useBillingPortal()
  return (
    <Button variant="default" loading={portal.isOpening} onClick={portal.open}>
      Update Card
    </Button>
  )
}

interface ChangeButtonProps extends ButtonProps {
  'aria-label'?: string
  /** There is nothing to change. Not `disabled`, which would lose the focus. */
  idle?: boolean
  /** It is being done; not `disabled` either. */
  busy?: boolean
  onClick: () => void
  children: ReactNode
}

/** Changes something at once. In a read-only account it looks disabled, and a press says why. */
export function ChangeButton({ idle = false, busy = false, onClick, ...button }: ChangeButtonProps) {
  const isReadOnly = useReadOnlyReason() !== undefined
  const isRefused = useReadOnlyGuard()
  const look = (idle || isReadOnly) && { 'aria-disabled': true, 'data-disabled': true }
  return (
    <Button
      {...button}
      {...look}
      loading={busy}
      aria-busy={busy}
      renderRoot={(root) => <button type="button" {...root} disabled={false} />}
      onClick={() => {
        // Also while it is busy: what it removes may vanish during a double click that begins then.
        ignoreSecondClick()
        if (!idle && !busy && !isRefused()) onClick()
      }}
    />
  )
}
