import { Anchor } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { createFileRoute, Link, useLocation } from '@tanstack/react-router'
import { contractsOfCustomer } from '#client/contracts/contracts-of-customer.ts'
import { CustomerContracts } from '#client/contracts/customer-contracts.tsx'
import { CustomerNext } from '#client/contracts/customer-next.tsx'
import { CustomersSearch } from '#client/customers/customers-search.ts'
import { CustomerPage, MissingCustomer } from '#client/customers/customer-page.tsx'
import { listInput } from '#client/list/list-position.ts'
import { useNeighbors } from '#client/list/neighbors.ts'
import { RecordNavigation } from '#client/list/record-navigation.tsx'
import { trpc } from '#client/api/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { ID_IN_PATH } from './-id-in-path.ts'

const Contacts = onDemand(async () => (await import('#client/contacts/contacts.tsx')).Contacts)
const Notice = onDemand(async () => (await import('#client/notices/customer-notice.tsx')).CustomerNotice)
const Messages = onDemand(
  async () => (await import('#client/reminders/settings/customer-messages.tsx')).CustomerMessages,
)
const History = onDemand(async () => (await import('#client/activity/history.tsx')).History)

export const Route = createFileRoute('/_app/customers_/$id')({
  staticData: { title: 'Customer' },
  ssr: true,
  params: ID_IN_PATH,
  loader: ({ context: { trpcUtils }, params: { id } }) => {
    void trpcUtils.customers.get.prefetch({ id })
    void trpcUtils.contracts.list.prefetch(contractsOfCustomer(id))
  },
  component: CustomerRoute,
  notFoundComponent: MissingCustomer,
})

function CustomerRoute() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <CustomerPage
      key={id}
      id={id}
      navigation={<Navigation id={id} />}
      next={<CustomerNext customerId={id} />}
      messages={<Messages.Part wanted customerId={id} />}
      contracts={<CustomerContracts customerId={id} />}
      contacts={<Contacts.Part wanted customerId={id} />}
      notice={<Notice.Part wanted customerId={id} />}
      history={<History.Part wanted about="customer" id={id} />}
      onDeleted={() => void navigate({ to: '/customers' })}
    />
  )
}

/** Back to the list, as it was when the customer was opened from it, and through it. */
function Navigation({ id }: { id: number }) {
  const opened = useLocation({ select: ({ state }) => state.openedFrom })
  // The server, which renders the page after a reload, does not have the history.
  const from = useMounted() ? opened : undefined
  const navigate = Route.useNavigate()
  const utils = trpc.useUtils()
  const search = CustomersSearch.safeParse(from?.search ?? {}).data
  const steps = useNeighbors({
    id,
    from: from && search && { ...from, search },
    read: (page) => utils.customers.list.fetch(listInput(page)),
    // In place of this page, so that Back leads to the list.
    go: (neighbor, state) => void navigate({ params: { id: neighbor }, state: { openedFrom: state }, replace: true }),
  })
  return (
    <RecordNavigation steps={steps}>
      <Anchor size="sm" renderRoot={(props) => <Link to="/customers" search={search ?? {}} {...props} />}>
        All customers
      </Anchor>
    </RecordNavigation>
  )
}
