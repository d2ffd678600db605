import { createFileRoute, notFound } from '@tanstack/react-router'
import { ContractPage } from '#client/contracts/contract-page.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'

const Reminders = onDemand(
  async () => (await import('#client/reminders/settings/contract-reminders.tsx')).ContractReminders,
)

const LARGEST_ID = 2_147_483_647

export const Route = createFileRoute('/_app/contracts_/$id')({
  staticData: { title: 'Contract' },
  ssr: true,
  params: {
    parse: ({ id }) => {
      // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to say so
      if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > LARGEST_ID) throw notFound()
      return { id: Number(id) }
    },
    stringify: ({ id }) => ({ id: String(id) }),
  },
  loader: ({ context: { trpcUtils }, params: { id } }) => {
    void trpcUtils.contracts.get.prefetch({ id })
    void trpcUtils.contracts.terms.prefetch({ id })
  },
  component: ContractRoute,
})

function ContractRoute() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ContractPage
      key={id}
      id={id}
      reminders={<Reminders.Part wanted contractId={id} />}
      onDeleted={() => void navigate({ to: '/contracts' })}
    />
  )
}
