import { Button } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { VerifyAddress } from '#client/identity/verify-address.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { Warning } from './warning.tsx'

/** Until the owner's address is verified. Afterwards it says so in the same place, until the next screen. */
export function AddressWarning() {
  const [isOpen, setOpen] = useState(false)
  const isVerified = Boolean(trpc.company.get.useQuery().data?.ownerEmail)
  const close = () => setOpen(false)
  return (
    <>
      {isVerified ? (
        <Warning color="green" title="Your email address is verified">
          Messages to your customers that were on hold are being sent, unless something else holds them up.
        </Warning>
      ) : (
        <Warning
          title="Verify your email address"
          action={
            <Button size="xs" onClick={() => setOpen(true)}>
              Verify
            </Button>
          }
        >
          We cannot email you, and messages to your customers are on hold, until your email address is verified.
        </Warning>
      )}
      <Dialog opened={isOpen} title="Verify your email address" onClose={close}>
        {isOpen && <VerifyAddress onVerified={close} />}
      </Dialog>
    </>
  )
}
