import { createFileRoute } from '@tanstack/react-router'
import { ContractPage } from '#client/contracts/contract-page.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { ID_IN_PATH } from './-id-in-path.ts'

const Reminders = onDemand(
  async () => (await import('#client/reminders/settings/contract-reminders.tsx')).ContractReminders,
)

const History = onDemand(async () => (await import('#client/activity/history.tsx')).History)

export const Route = createFileRoute('/_app/contracts_/$id')({
  staticData: { title: 'Contract' },
  ssr: true,
  params: ID_IN_PATH,
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
      history={<History.Part wanted about="contract" id={id} />}
      onDeleted={() => void navigate({ to: '/contracts' })}
    />
  )
}
