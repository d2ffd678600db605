import '@mantine/core/styles/Tabs.layer.css'
import { Paper, Stack, Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { START } from '#client/list/list-position.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { ComingList } from './coming-list.tsx'
import { LedgerList } from './ledger-list.tsx'
import type { OutboxSearch } from './outbox-search.ts'
import type { LedgerMessage, Message } from '#client/mail/reminder-words.ts'
import { UnreachableCard } from './unreachable-card.tsx'
import { useOutboxActions } from './use-outbox-actions.ts'

const Snooze = onDemand(async () => (await import('./snooze-dialog.tsx')).SnoozeDialog)
const Details = onDemand(async () => (await import('./message-details.tsx')).MessageDetails)

interface OutboxScreenProps {
  search: OutboxSearch
  onSearch: (changes: Partial<OutboxSearch>) => void
  customerLink: (customer: { id: number; name: string }) => ReactNode
  /** What leads on from an empty list. */
  whenEmpty?: ReactNode
}

/** Every message of the account: what will be sent, what was, and why not. */
export function OutboxScreen({ search, onSearch, customerLink, whenEmpty }: OutboxScreenProps) {
  const actions = useOutboxActions()
  const snooze = useDialogAbout<Message>()
  const details = useDialogAbout<LedgerMessage>()
  return (
    <Stack gap="lg">
      <PageHeader
        title="Reminders"
        description="Messages that will go out or have gone out, and why any were skipped"
      />
      <UnreachableCard link={customerLink} />
      <Paper withBorder>
        <Tabs
          value={search.tab}
          onChange={(tab) => onSearch({ ...START, state: undefined, tab: tab === 'ledger' ? 'ledger' : 'coming' })}
          keepMounted={false}
        >
          <Tabs.List px="md" pt="xs" aria-label="Reminders">
            <Tabs.Tab value="coming">Next 90 days</Tabs.Tab>
            <Tabs.Tab value="ledger">Last 90 days</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="coming">
            <ComingList actions={actions} onSnooze={snooze.open} whenEmpty={whenEmpty} />
          </Tabs.Panel>
          <Tabs.Panel value="ledger">
            <LedgerList search={search} onSearch={onSearch} actions={actions} onOpen={details.open} />
          </Tabs.Panel>
        </Tabs>
      </Paper>
      <Snooze.Part
        wanted={snooze.opened}
        opened={snooze.opened}
        message={snooze.about}
        onSnooze={actions.snooze}
        onClose={snooze.close}
      />
      <Details.Part wanted={details.opened} opened={details.opened} message={details.about} onClose={details.close} />
    </Stack>
  )
}
