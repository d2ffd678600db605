import { Anchor } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { createFileRoute, Link, useLocation } from '@tanstack/react-router'
import { ContractsSearch } from '#client/contracts/contracts-search.ts'
import { ContractPage, MissingContract } from '#client/contracts/contract-page.tsx'
import { listInput } from '#client/list/list-position.ts'
import { useNeighbors } from '#client/list/neighbors.ts'
import { RecordNavigation } from '#client/list/record-navigation.tsx'
import { trpc } from '#client/api/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { ID_IN_PATH } from './-id-in-path.ts'

const Reminders = onDemand(
  async () => (await import('#client/reminders/settings/contract-reminders.tsx')).ContractReminders,
)

const Answers = onDemand(async () => (await import('#client/answers/contract-answers.tsx')).ContractAnswers)
const Notice = onDemand(async () => (await import('#client/notices/contract-notice.tsx')).ContractNotice)

const Contacts = onDemand(async () => (await import('#client/contacts/contacts.tsx')).Contacts)
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
  notFoundComponent: MissingContract,
})

function ContractRoute() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ContractPage
      key={id}
      id={id}
      navigation={<Navigation id={id} />}
      answers={<Answers.Part wanted contractId={id} />}
      notice={<Notice.Part wanted contractId={id} />}
      reminders={<Reminders.Part wanted contractId={id} />}
      contacts={(customerId) => <Contacts.Part wanted customerId={customerId} saysFirstBounce />}
      history={<History.Part wanted about="contract" id={id} />}
      onDeleted={() => void navigate({ to: '/contracts' })}
    />
  )
}

/** Back to the list, as it was when the contract was opened from it, and through it. */
function Navigation({ id }: { id: number }) {
  const opened = useLocation({ select: ({ state }) => state.openedFrom })
  // The server, which renders the page after a reload, does not have the history.
  const from = useMounted() ? opened : undefined
  const navigate = Route.useNavigate()
  const utils = trpc.useUtils()
  const search = ContractsSearch.safeParse(from?.search ?? {}).data
  const steps = useNeighbors({
    id,
    from: from && search && { ...from, search },
    read: (page) => utils.contracts.list.fetch(listInput(page)),
    // In place of this page, so that Back leads to the list.
    go: (neighbor, state) => void navigate({ params: { id: neighbor }, state: { openedFrom: state }, replace: true }),
  })
  return (
    <RecordNavigation steps={steps}>
      <Anchor size="sm" renderRoot={(props) => <Link to="/contracts" search={search ?? {}} {...props} />}>
        All contracts
      </Anchor>
    </RecordNavigation>
  )
}
