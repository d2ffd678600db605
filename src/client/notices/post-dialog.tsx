import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { formatDay } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { toastUndo } from '#client/ui/toasts/toasts.tsx'
import { DeliveryFields, missingOf, type Delivered } from './delivery-fields.tsx'
import type { Notice } from './notice-words.ts'
import { useUnpost } from './use-unpost.ts'

interface PostDialogProps {
  opened: boolean
  notice: Notice | undefined
  onClose: () => void
}

const NOTHING_SAID: Delivered = { delivery: null, mailNumber: '' }

/** Asks when a letter was mailed, and how: under which number, or that it was handed over. */
export function PostDialog({ opened, notice, onClose }: PostDialogProps) {
  if (!notice || notice.contractId === null) return null
  const { contractId } = notice
  return (
    <Asking key={`${contractId} ${opened}`} opened={opened} notice={notice} contractId={contractId} onClose={onClose} />
  )
}

function Asking({ opened, notice, contractId, onClose }: PostDialogProps & { notice: Notice; contractId: number }) {
  const { customerName, from, through, how, requiredMail } = notice
  const today = useAccountToday()()
  const last = today < through ? today : through
  const [on, setOn] = useState<string>(last)
  const [delivered, setDelivered] = useState<Delivered>(NOTHING_SAID)
  const [isChecked, setIsChecked] = useState(false)
  const [failure, setFailure] = useState<string>()
  const utils = trpc.useUtils()
  const unpost = useUnpost()
  const post = trpc.notices.post.useMutation({
    onSuccess: () => {
      toastUndo(`The letter to ${customerName} is marked as mailed`, () => unpost(contractId))
      onClose()
    },
    onError: (error) => setFailure(failureText(error, { failed: 'Failed to mark the letter as mailed' })),
    onSettled: () => utils.notices.invalidate(),
  })
  return (
    <FormDialog
      opened={opened}
      title="Mark as Mailed"
      submitLabel="Mark as Mailed"
      busy={post.isPending}
      unsaved={delivered.mailNumber !== '' || delivered.delivery !== null || on !== last}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        setFailure(undefined)
        setIsChecked(true)
        if (Object.keys(missingOf(delivered, requiredMail)).length === 0)
          post.mutate({ id: contractId, on, ...delivered })
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {`The notice must reach ${customerName} between ${formatDay(from)} and ${formatDay(through)}.`}
      </Text>
      {how !== null && <Text size="sm">{`The law requires: ${how}`}</Text>}
      <TextInput
        type="date"
        label="Mailed or handed over on"
        required
        data-autofocus
        min={from}
        max={last}
        value={on}
        onChange={({ currentTarget: { value } }) => setOn(value)}
      />
      <DeliveryFields requiredMail={requiredMail} delivered={delivered} isChecked={isChecked} onChange={setDelivered} />
    </FormDialog>
  )
}
