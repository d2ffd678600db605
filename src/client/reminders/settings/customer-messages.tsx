import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { formatDay } from '#client/text/format.ts'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { MessageLists } from './message-lists.tsx'

/** The messages about all contracts of a customer, sent and planned. */
export function CustomerMessages({ customerId }: { customerId: number }) {
  const reminders = trpc.reminders.ofCustomer.useQuery({ id: customerId })
  return (
    <PageSection title="Messages">
      <QueryError query={reminders} failed="Failed to fetch messages" />
      {reminders.isPending && <Placeholder heights={[120]} />}
      {reminders.data && <MessageLists {...reminders.data} about={(message) => <About message={message} />} />}
    </PageSection>
  )
}

type Message = Outputs['reminders']['ofCustomer']['history'][number]

/** Leads to the contract, which its renewal date tells from the others. */
function About({ message: { contractId, renewalDate } }: { message: Pick<Message, 'contractId' | 'renewalDate'> }) {
  const text = `Renewal on ${formatDay(renewalDate)}`
  return (
    <Text component="span" display="block" size="xs" c="dimmed">
      {contractId === null ? (
        `${text}, of a contract that was deleted`
      ) : (
        <Anchor inherit renderRoot={(props) => <Link to="/contracts/$id" params={{ id: contractId }} {...props} />}>
          {text}
        </Anchor>
      )}
    </Text>
  )
}
