import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isDay } from '#shared/domain/day.ts'
import { failureText } from '#client/api/failure-text.ts'
import { MailNotice } from '#client/mail/mail-notice.tsx'
import { useAnnouncedMail } from '#client/mail/use-announced-mail.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { MOVE_FAILURE, type Move, type SaveMove } from './renewal-move.ts'

interface MoveDialogProps {
  opened: boolean
  move: Move | undefined
  save: SaveMove
  onClose: () => void
}

/** Asks for the day to which a renewal moves, and says which emails the customer will get. */
export function MoveDialog({ move, ...dialog }: MoveDialogProps) {
  if (!move) return null
  return <Form move={move} {...dialog} />
}

interface Entered {
  /** Each time it opens, it is about another object. */
  about: Move
  renewalDate: string
  isMuted: boolean
  error?: string | undefined
}

function Form({ opened, move, save, onClose }: MoveDialogProps & { move: Move }) {
  const { contract, to } = move
  const [entered, setEntered] = useState<Entered>()
  const [isSaving, setSaving] = useState(false)
  const values = entered?.about === move ? entered : { about: move, renewalDate: to, isMuted: false }
  const { renewalDate, isMuted, error } = values
  const setError = (text: string) =>
    setEntered((latest) => ({ ...(latest?.about === move ? latest : values), error: text }))
  const { customerId, customerName, status, amount } = contract
  const announced = useAnnouncedMail({ customerId, status, renewalDate }, contract)
  const submit = async () => {
    if (!isDay(renewalDate)) return setError('Enter a date')
    if (renewalDate === contract.renewalDate) return onClose()
    setSaving(true)
    const isShown = await announced.confirmShown()
    if (isShown)
      await save({ contract, to: renewalDate, isMuted: isMuted && announced.mayStillBeMuted() }).then(
        onClose,
        (error_) => setError(failureText(error_, MOVE_FAILURE)),
      )
    else setError('Not moved yet. Check which emails will be sent, then move again.')
    return setSaving(false)
  }
  return (
    <FormDialog
      opened={opened}
      title="Move Renewal"
      submitLabel="Move"
      busy={isSaving}
      unsaved={renewalDate !== to || isMuted}
      error={error}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onClose={onClose}
    >
      <Text>{`${customerName}, ${formatMoney(amount)}, renews on ${formatDay(contract.renewalDate)}`}</Text>
      <TextInput
        type="date"
        label="Move to"
        required
        data-autofocus
        max="2999-12-31"
        value={renewalDate}
        onChange={({ currentTarget }) => setEntered({ about: move, renewalDate: currentTarget.value, isMuted: false })}
      />
      <MailNotice
        announced={announced}
        customerName={customerName}
        isMuted={isMuted}
        onMute={(muted) => setEntered({ about: move, renewalDate, isMuted: muted })}
      />
    </FormDialog>
  )
}
