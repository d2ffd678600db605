import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Button, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Inputs, type Outputs } from '#client/api/trpc.ts'
import { LetterView } from '#client/mail/letter-view.tsx'
import { Recipients } from '#client/mail/recipients.tsx'

/** Of a line of recipients and the button below, so that Renew stays where it is when they come. */
const RECIPIENTS_HEIGHT = 62

interface ConfirmationPartProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The renewal as it would be sent; undefined while something is wrong with it. */
  renewal: Inputs['contracts']['previewRenewal'] | undefined
}

/** Whether the customer is told of a renewal, with who gets the email and what it says. */
export function ConfirmationPart({ checked, onChange, renewal }: ConfirmationPartProps) {
  return (
    <Stack gap="sm">
      <Switch
        label="Tell the customer"
        description="By email, 10 seconds after you renew. Until then, Undo stops it."
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {checked && <Preview renewal={renewal} />}
    </Stack>
  )
}

function Preview({ renewal }: Pick<ConfirmationPartProps, 'renewal'>) {
  const [isShown, setIsShown] = useState(false)
  const { client } = trpc.useUtils()
  // Under a key of its own: once the contract is renewed, a renewal of its former term is asked for no more.
  const preview = useQuery({
    queryKey: ['renewal-preview', renewal],
    queryFn: renewal ? () => client.contracts.previewRenewal.query(renewal) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (!renewal) return <Text size="sm">The email appears once the new term has no errors.</Text>
  return (
    <Stack gap="sm" aria-busy={preview.isPlaceholderData}>
      <QueryError query={preview} failed="Failed to load the email" />
      {preview.isPending && <Skeleton height={RECIPIENTS_HEIGHT} />}
      {preview.data && (
        <>
          <div role="status">
            <Recipients {...preview.data} />
            <Wait waitsFor={preview.data.waitsFor} />
          </div>
          <div>
            <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
              {isShown ? 'Hide Email' : 'Show Email'}
            </Button>
          </div>
          {isShown && <LetterView letter={preview.data} busy={preview.isPlaceholderData} />}
        </>
      )}
    </Stack>
  )
}

type WaitsFor = Outputs['contracts']['previewRenewal']['waitsFor']

const WAITS: Record<NonNullable<WaitsFor>, string> = {
  company: 'It waits until you have entered your company name.',
  owner: 'It waits until your email address is verified.',
  stop: 'It waits while your email to customers is paused.',
  limit: "You have reached today's limit of emails to customers, so it goes out on another day.",
}

function Wait({ waitsFor }: { waitsFor: WaitsFor }) {
  return waitsFor ? <Text size="sm">{WAITS[waitsFor]}</Text> : null
}
