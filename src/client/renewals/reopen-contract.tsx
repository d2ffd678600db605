import { useEffect, useEffectEvent, useState } from 'react'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
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
  onSave: (reminders: { reminders?: 'off' }) => void
  onClosed: () => void
}

/** Opens a contract again, keeps it from ending, or gives it another open status. Asks first if that sends the customer emails; otherwise saves at once. */
export function ReopenContract({ contract, status, confirmLabel = 'Save', onSave, onClosed }: ReopenContractProps) {
  const [opened, setOpened] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const announced = useAnnouncedMail({ ...contract, status, endsOn: null }, contract)
  const confirmShown = useEffectEvent(() => announced.confirmShown())
  const settle = useEffectEvent((sendsNothing: boolean) => {
    if (!sendsNothing) return setOpened(true)
    onSave({})
    return onClosed()
  })
  useEffect(() => {
    let isUnmounted = false
    void confirmShown().then((sendsNothing) => isUnmounted || settle(sendsNothing))
    return () => {
      isUnmounted = true
    }
  }, [])
  const save = () => {
    onSave(isMuted ? { reminders: 'off' } : {})
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

function titleOf({ status, endsOn }: Contract): string {
  if (!isOpen(status)) return 'Reopen Contract'
  return endsOn === null ? 'Change Status' : 'Keep Contract Open'
}
