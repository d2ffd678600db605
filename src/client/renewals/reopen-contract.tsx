import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import type { Contract } from './use-contract-acts.ts'
import { MailNotice } from '#client/mail/mail-notice.tsx'
import { useAnnouncedMail } from '#client/mail/use-announced-mail.ts'

interface ReopenContractProps {
  contract: Contract
  /** Its new status. */
  status: ContractStatus
  /** The label of the button that does it. */
  confirmLabel?: string
  /** Whether another status has been chosen since, in place of this one. */
  isReplaced?: () => boolean
  onSave: (reminders: { reminders?: 'off' }) => void
  onClosed: () => void
}

/**
 * Opens a contract again, keeps it from ending, or gives it another open status. Asks first if that sends the customer emails;
 * otherwise saves at once.
 */
export function ReopenContract(props: ReopenContractProps) {
  const { contract, status, confirmLabel = 'Save', isReplaced, onSave, onClosed } = props
  const [opened, setOpened] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const announced = useAnnouncedMail({ ...contract, status, endsOn: null }, contract)
  const confirmShown = useEffectEvent(() => announced.confirmShown())
  const settle = useEffectEvent((sendsNothing: boolean, isLeft: boolean) => {
    if (isLeft && isReplaced?.()) return undefined
    if (!sendsNothing && announced.mayChangeMail) return isLeft ? toastFailure(notSavedText(contract)) : setOpened(true)
    onSave({})
    return onClosed()
  })
  const mounts = useRef(0)
  useEffect(() => {
    const mount = (mounts.current += 1)
    let isLeft = false
    // Once its emails are being counted, the choice is saved or refused, also if its row or page is left, unless another
    // status was chosen since. React may mount it twice.
    void confirmShown().then((sendsNothing) => mount === mounts.current && settle(sendsNothing, isLeft))
    return () => {
      isLeft = true
    }
  }, [])
  const save = () => {
    onSave(isMuted && announced.mayStillBeMuted() ? { reminders: 'off' } : {})
    setOpened(false)
  }
  return (
    <ConfirmDialog
      opened={opened}
      title={titleOf(contract)}
      confirmLabel={confirmLabel}
      onConfirm={save}
      onCancel={() => setOpened(false)}
      onClosed={onClosed}
    >
      <MailNotice announced={announced} customerName={contract.customerName} isMuted={isMuted} onMute={setMuted} />
    </ConfirmDialog>
  )
}

function notSavedText({ customerName }: Contract): string {
  return `The contract with ${customerName} was not changed, because we could not show you which emails that sends. Please try again.`
}

function titleOf({ status, endsOn }: Contract): string {
  if (!isOpen(status)) return 'Reopen Contract'
  return endsOn === null ? 'Change Status' : 'Keep Contract Open'
}
