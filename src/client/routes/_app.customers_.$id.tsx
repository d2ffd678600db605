import { createFileRoute } from '@tanstack/react-router'
import { contractsOfCustomer, CustomerContracts } from '#client/contracts/customer-contracts.tsx'
import { CustomerPage } from '#client/customers/customer-page.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { ID_IN_PATH } from './-id-in-path.ts'

const Contacts = onDemand(async () => (await import('#client/contacts/contacts.tsx')).Contacts)
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
})

function CustomerRoute() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <CustomerPage
      key={id}
      id={id}
      contracts={<CustomerContracts customerId={id} />}
      contacts={<Contacts.Part wanted customerId={id} />}
      history={<History.Part wanted about="customer" id={id} />}
      onDeleted={() => void navigate({ to: '/customers' })}
    />
  )
}
