import '@mantine/core/styles/Code.layer.css'
import { Button, Code, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '#client/identity/session-context.tsx'
import { useReverified } from '#client/api/use-reverified.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { useUnsaved } from '#client/ui/dialogs/use-unsaved.ts'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { BackupCodes } from './backup-codes.tsx'
import { FAULT } from '#client/api/rest-failure.ts'
import { clerkTexts } from '#client/identity/clerk-texts.ts'
import { QrCode } from './qr-code.tsx'
import { asStep, useAttempt } from '#client/identity/use-attempt.ts'

interface TwoFactorDialogProps {
  opened: boolean
  onClose: () => void
}

/** Sets up an authenticator app: a QR code to scan, the app's first code, and the backup codes. */
export function TwoFactorDialog({ opened, onClose }: TwoFactorDialogProps) {
  const [codes, setCodes] = useState<string[]>()
  const { isAsking } = useReverified()
  // The focused field is replaced.
  const kept = useKeptFocus(codes ? 'codes' : 'app')
  const title = codes ? 'Your Backup Codes' : 'Set Up Two-Factor Sign-In'
  return (
    <Dialog opened={opened} title={title} covered={isAsking} onClose={onClose} onClosed={() => setCodes(undefined)}>
      <div {...kept}>
        {codes && <BackupCodes codes={codes} onDone={onClose} />}
        {opened && !codes && <App onSetUp={setCodes} onCancel={onClose} />}
      </div>
    </Dialog>
  )
}

interface AppProps {
  onSetUp: (backupCodes: string[]) => void
  onCancel: () => void
}

function App({ onSetUp, onCancel }: AppProps) {
  const user = useUser()
  const { reverified } = useReverified()
  const begun = useQuery({
    queryKey: ['two-factor'],
    queryFn: () => reverified(() => user.createTOTP()),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  if (begun.error) {
    const message = clerkTexts(begun.error, []).failure ?? FAULT
    return <ErrorState message={message} retrying={begun.isFetching} onRetry={() => void begun.refetch()} />
  }
  return (
    <Stack>
      <Text>
        Scan this code with an authenticator app, such as Google Authenticator or 1Password, or enter the key by hand.
        Then enter the code from the app.
      </Text>
      {begun.data ? (
        <>
          <QrCode text={begun.data.uri ?? ''} />
          <Secret value={begun.data.secret ?? ''} />
          <ConfirmForm onSetUp={onSetUp} onCancel={onCancel} />
        </>
      ) : (
        <Skeleton h={360} />
      )}
    </Stack>
  )
}

/** In groups of four, as people type them. */
function Secret({ value }: { value: string }) {
  return (
    <Text size="sm" ta="center">
      Key: <Code>{value.match(/.{1,4}/g)?.join(' ')}</Code>
    </Text>
  )
}

function ConfirmForm({ onSetUp, onCancel }: AppProps) {
  const user = useUser()
  const form = useForm({
    initialValues: { code: '' },
    validate: {
      code: (code) => (/^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? null : 'Enter the 6-digit code'),
    },
  })
  useUnsaved(form.isDirty())
  const { attempt, busy, failure } = useAttempt(form)
  const confirm = async (code: string) => {
    const { backupCodes } = await user.verifyTOTP({ code })
    onSetUp(backupCodes ?? (await user.createBackupCode()).codes)
  }
  const submit = form.onSubmit(({ code }) => void attempt(asStep(() => confirm(code.replaceAll(/\s/g, '')))))
  return (
    <form noValidate aria-label="Set Up Two-Factor Sign-In" aria-busy={busy} onSubmit={submit}>
      <Stack>
        <TextInput
          label="Authentication code"
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...form.getInputProps('code')}
        />
        <DialogButtons error={failure}>
          <Button variant="default" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Turn On
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
