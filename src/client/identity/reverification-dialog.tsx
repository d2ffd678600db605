import type { SignedInSessionResource } from '@clerk/clerk-react/types'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FAULT } from '#client/api/rest-failure.ts'
import { clerkTexts } from './clerk-texts.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ReverificationForm, type BegunVerification } from './reverification-form.tsx'

interface ReverificationDialogProps {
  opened: boolean
  /** The session of this browser. */
  findSession: () => Promise<SignedInSessionResource>
  onProven: () => void
  onCancel: () => void
}

/** Asks for proof of identity again, so that an unattended browser is not enough. */
export function ReverificationDialog({ opened, onCancel, ...rest }: ReverificationDialogProps) {
  return (
    <Dialog opened={opened} title="Confirm it's you" onClose={onCancel}>
      {opened && <Steps onCancel={onCancel} {...rest} />}
    </Dialog>
  )
}

function Steps({ findSession, onProven, onCancel }: Omit<ReverificationDialogProps, 'opened'>) {
  const begun = useQuery({ queryKey: KEY, queryFn: () => begin(findSession), gcTime: 0, staleTime: Infinity })
  if (begun.error) {
    const message = clerkTexts(begun.error, []).failure ?? FAULT
    return <ErrorState message={message} retrying={begun.isFetching} onRetry={() => void begun.refetch()} />
  }
  return (
    <Stack>
      <Text c="dimmed">To protect your account, please confirm it's you. You signed in more than 10 minutes ago.</Text>
      {begun.data ? (
        <ReverificationForm {...begun.data} onProven={onProven} onCancel={onCancel} />
      ) : (
        <Skeleton h={164} />
      )}
    </Stack>
  )
}

const KEY = ['reverification']

/** By the second factor where the person has one, else by the first. */
async function begin(findSession: () => Promise<SignedInSessionResource>): Promise<BegunVerification> {
  const session = await findSession()
  return { session, verification: await session.startVerification({ level: 'second_factor' }) }
}
