import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { ReminderText, TextKind } from '#shared/domain/reminder-text.ts'
import { LetterView } from '#client/mail/letter-view.tsx'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { previewInput } from './text-drafts.ts'

type Preview = Outputs['reminders']['previewText']

interface TextPreviewProps {
  kind: TextKind
  /** Undefined while something is wrong with it. */
  text: ReminderText | undefined
  customerId: number | null
  /** Where a customer is chosen. */
  picker: ReactNode
}

/** How a customer would read a text, by a contract of the account. */
export function TextPreview({ kind, text, customerId, picker }: TextPreviewProps) {
  const heading = useId()
  const { client } = trpc.useUtils()
  const preview = useQuery({
    queryKey: ['text-preview', kind, text?.subject, text?.body, customerId],
    queryFn: text ? () => client.reminders.previewText.mutate(previewInput(kind, text, customerId)) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={heading}>
      <Stack>
        <Title order={2} size="h4" id={heading}>
          Preview
        </Title>
        {picker}
        {!text && <Text c="dimmed">The preview appears once the template has no errors.</Text>}
        {text && <QueryError query={preview} failed="Failed to load the preview" />}
        {text && preview.isPending && <Skeleton height={420} />}
        {text && preview.data && (
          <LetterView
            caption={shownText(kind, preview.data, customerId)}
            letter={preview.data}
            busy={preview.isPlaceholderData}
          />
        )}
      </Stack>
    </Paper>
  )
}

const WHEN: Record<TextKind, string> = {
  reminder: '7 days before renewal',
  reminder_automatic: '7 days before renewal',
  reminder_never: '7 days before it ends',
  follow_up: '3 days after renewal',
  confirmation: 'if the contract were renewed today',
  notice: '60 days before the renewal date',
}

const CONTRACT: Record<TextKind, string> = {
  reminder: 'active contract that renews by agreement',
  reminder_automatic: 'active contract that renews automatically',
  reminder_never: 'active contract that does not renew',
  follow_up: 'active contract',
  confirmation: 'active contract',
  notice: 'contract that renews automatically',
}

function shownText(kind: TextKind, { customerName, isExample }: Preview, customerId: number | null): string {
  const has = `${customerId === null ? 'You have' : `${customerName} has`} no ${CONTRACT[kind]}`
  if (isExample) return `${has}${customerId === null ? ' yet' : ''}, so this is an example, ${WHEN[kind]}.`
  return `What ${customerName} would receive ${WHEN[kind]}.`
}
