import { Button, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatInstant } from '#client/text/format.ts'
import { BounceAlert, useWorksAgain } from '#client/mail/bounce-alert.tsx'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { trpc } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { Card, Fact } from '#client/ui/cards/card.tsx'
import { useUser } from '#client/identity/session-context.tsx'
import { NameForm } from './name-form.tsx'

/** The account's owner. The name can be changed here. */
export function ProfileCard() {
  const [editing, setEditing] = useState(false)
  const own = trpc.reminders.ownBounce.useQuery()
  const bounce = own.data
  const clear = trpc.reminders.clearOwnBounce.useMutation(useWorksAgain(bounce?.address))
  const kept = useKeptFocus(`${editing} ${bounce?.address}`)
  return (
    <div style={{ display: 'grid' }} {...kept}>
      <Card title="Personal details" action={!editing && <EditButton onClick={() => setEditing(true)} />}>
        {editing ? <NameForm onClose={() => setEditing(false)} /> : <Names />}
        <Facts />
        {own.isError && bounce === undefined && (
          <ErrorState
            message={failureText(own.error, { failed: 'Failed to check your email address' })}
            retrying={own.isFetching}
            onRetry={() => void own.refetch()}
          />
        )}
        {bounce && (
          <BounceAlert {...bounce}>
            <ChangeButton
              display="block"
              mt="sm"
              variant="default"
              loading={clear.isPending}
              onClick={() => clear.mutate()}
            >
              Mark as Working
            </ChangeButton>
          </BounceAlert>
        )}
      </Card>
    </div>
  )
}

function Names() {
  const user = useUser()
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }}>
      <Fact name="First name">{user.firstName || NONE}</Fact>
      <Fact name="Last name">{user.lastName || NONE}</Fact>
    </SimpleGrid>
  )
}

const NONE = '—'

function EditButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      Edit
    </Button>
  )
}

function Facts() {
  const user = useUser()
  const [phone] = user.phoneNumbers
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }}>
      <Fact name="Email">{user.primaryEmailAddress?.emailAddress ?? NONE}</Fact>
      <Fact name="Phone">{phone?.phoneNumber ?? NONE}</Fact>
      <Fact name="Member Since">{moment(user.createdAt)}</Fact>
      <Fact name="Last Updated">{moment(user.updatedAt)}</Fact>
    </SimpleGrid>
  )
}

function moment(value: Date | null): string {
  return value ? formatInstant(value, Intl.DateTimeFormat().resolvedOptions().timeZone) : NONE
}
