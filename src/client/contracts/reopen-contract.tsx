import { useEffect, useEffectEvent, useState } from 'react'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import type { Contract } from './form/contract-form.ts'
import { MailNotice } from '#client/mail/mail-notice.tsx'
import { useAnnouncedMail } from '#client/mail/use-announced-mail.ts'

interface ReopenContractProps {
  contract: Contract
  /** Its new status. */
  status: ContractStatus
  onSave: (reminders: { reminders?: 'off' }) => void
  onClosed: () => void
}

/** Asks first if reopening sends the customer emails; otherwise saves immediately. */
export function ReopenContract({ contract, status, onSave, onClosed }: ReopenContractProps) {
  const [opened, setOpened] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const announced = useAnnouncedMail({ ...contract, status }, contract)
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
      title="Reopen Contract"
      confirmLabel="Save"
      onConfirm={save}
      onCancel={() => setOpened(false)}
      onClosed={onClosed}
    >
      <MailNotice announced={announced} customerName={contract.customerName} isMuted={isMuted} onMute={setMuted} />
    </ConfirmDialog>
  )
}
