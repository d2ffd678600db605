import { Anchor, Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isOpen } from '#shared/domain/contract-status.ts'
import { failureOf, trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { useTrashActions } from '#client/api/use-trash-actions.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { TagBadges } from '#client/tags/tag-badges.tsx'
import { formatDay } from '#client/text/format.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import { DetailList, type Detail } from '#client/ui/detail-list.tsx'
import { Explained } from '#client/ui/explained.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { useEditableDetails } from './contract-in-place.tsx'
import type { Contract } from './form/contract-form.ts'
import { PdfPanel } from './pdf/pdf-panel.tsx'
import { PdfProvider } from './pdf/pdf-provider.tsx'
import { WhatComesNext } from './what-comes-next.tsx'
import { TermsTimeline } from '#client/renewals/terms-timeline.tsx'
import { useMoveRenewal } from '#client/renewals/use-move-renewal.tsx'

const Dialogs = onDemand(async () => (await import('./contract-dialogs.tsx')).ContractDialogs)

interface ContractPageProps {
  id: number
  /** Leads back to the list, and through it. */
  navigation: ReactNode
  /** What the customer answered. */
  answers: ReactNode
  /** Between which days its customer must be given notice. */
  notice: ReactNode
  /** The contract's reminders. */
  reminders: ReactNode
  /** The contacts of its customer. */
  contacts: (customerId: number) => ReactNode
  /** What was written about it, and what has changed. */
  history: ReactNode
  onDeleted: () => void
}

/** One contract: what it is, what comes next, and its terms. */
export function ContractPage({ id, ...parts }: ContractPageProps) {
  const contract = trpc.contracts.get.useQuery({ id })
  if (contract.isPending) return <Placeholder heights={[80, 160, 240]} />
  if (contract.error && failureOf(contract.error).refusal === 'CONTRACT_NOT_FOUND') return <MissingContract />
  return (
    <>
      <QueryError query={contract} failed="Failed to fetch contract" />
      {contract.data && <Loaded contract={contract.data} {...parts} />}
    </>
  )
}

/** Shown if the contract does not exist. */
export function MissingContract() {
  return (
    <PageHeader title="Contract not found" description="It may have been deleted.">
      <Button renderRoot={(props) => <Link to="/contracts" {...props} />}>Go to Contracts</Button>
      <Button variant="default" renderRoot={(props) => <Link to="/trash" {...props} />}>
        Look in the Trash
      </Button>
    </PageHeader>
  )
}

type LoadedProps = Omit<ContractPageProps, 'id'> & { contract: Contract }

function Loaded({ contract, navigation, answers, notice, reminders, contacts, history, onDeleted }: LoadedProps) {
  const form = useRowDialog([contract])
  const { deleteContract, isDeleting } = useTrashActions()
  return (
    <PdfProvider contracts={[contract]}>
      <Stack gap="lg" data-takes-pdf {...whenButtonNears(Dialogs.prefetch)}>
        {navigation}
        <PageHeader title={contract.customerName} description={contract.title ?? 'Contract'}>
          <ChangeButton variant="default" onClick={() => form.open(contract)}>
            Edit
          </ChangeButton>
          <ChangeButton variant="default" busy={isDeleting} onClick={() => deleteContract(contract, onDeleted)}>
            Delete
          </ChangeButton>
        </PageHeader>
        <WhatComesNext contract={contract} />
        <Details contract={contract} />
        <PageSection title="Terms">
          <TermsTimeline contractId={contract.id} />
        </PageSection>
        <PdfPanel contract={contract} />
        {reminders}
        {answers}
        {notice}
        {contacts(contract.customerId)}
        {history}
      </Stack>
      <Dialogs.Part wanted={form.opened} form={form} onOwnPage />
    </PdfProvider>
  )
}

/** What there is to say about a contract. What was entered is edited where it is shown. */
function Details({ contract }: { contract: Contract }) {
  const move = useMoveRenewal()
  const editable = useEditableDetails(contract, move)
  const { nextAmount, nextCycle, noticeDate, noticePeriod } = contract
  const isScheduled = nextAmount !== null || nextCycle !== null
  const details: Detail[] = [
    {
      label: 'Customer',
      value: (
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/customers/$id" params={{ id: contract.customerId }} {...props} />}
        >
          {contract.customerName}
        </Anchor>
      ),
    },
    editable('title', 'Title'),
    editable('reference', 'Reference'),
    editable('amount', 'Amount'),
    ...(isScheduled || isOpen(contract.status)
      ? [editable('nextAmount', 'Amount From Next Term'), editable('nextCycle', 'Cycle From Next Term')]
      : []),
    { label: 'Start Date', value: formatDay(contract.startDate) },
    editable('renewalDate', 'Renewal Date'),
    editable('renews', 'Renews'),
    editable('noticePeriod', 'Notice Period'),
    ...(noticeDate && noticePeriod
      ? [
          {
            label: 'Notice By',
            value: (
              <Explained how={`${noticePeriod} before ${formatDay(contract.renewalDate)}`}>
                {formatDay(noticeDate)}
              </Explained>
            ),
          },
        ]
      : []),
    ...(contract.tags.length > 0 ? [{ label: 'Tags', value: <TagBadges tags={contract.tags} /> }] : []),
  ]
  return (
    <>
      <DetailList details={details} />
      {move.dialog}
    </>
  )
}
