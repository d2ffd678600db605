import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isOpen } from '#shared/domain/contract-status.ts'
import { failureOf, trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { useTrashActions } from '#client/api/use-trash-actions.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { TagBadges } from '#client/tags/tag-badges.tsx'
import { CYCLE_LABELS, statusBadge, timeLeftText } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import { DetailList, type Detail } from '#client/ui/detail-list.tsx'
import { Explained } from '#client/ui/explained.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { useEditableDetails } from './contract-in-place.tsx'
import type { Contract } from './form/contract-form.ts'
import { PdfPanel } from './pdf/pdf-panel.tsx'
import { PdfProvider } from './pdf/pdf-provider.tsx'
import { renewalExplained } from '#client/renewals/renewal-words.ts'
import { TermsTimeline } from '#client/renewals/terms-timeline.tsx'
import { useContractActs } from '#client/renewals/use-contract-acts.ts'
import { useAnyPendingAct } from '#client/renewals/use-pending-acts.ts'
import { useMoveRenewal } from '#client/renewals/use-move-renewal.tsx'
import { useDecisions } from '#client/renewals/use-decisions.tsx'

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

function Loaded({ contract, navigation, answers, notice, reminders, history, onDeleted }: LoadedProps) {
  const form = useRowDialog([contract])
  const { deleteContract, isDeleting } = useTrashActions()
  const badge = statusBadge(contract)
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
        <Paper withBorder p="lg" component="section" aria-label="What comes next">
          <Stack>
            <Group gap="sm">
              <Badge color={badge.color}>{badge.text}</Badge>
              <NextDate contract={contract} />
            </Group>
            <Acts contract={contract} />
          </Stack>
        </Paper>
        <Details contract={contract} />
        <PageSection title="Terms">
          <TermsTimeline contractId={contract.id} />
        </PageSection>
        <PdfPanel contract={contract} />
        {answers}
        {notice}
        {reminders}
        {history}
      </Stack>
      <Dialogs.Part wanted={form.opened} form={form} onOwnPage />
    </PdfProvider>
  )
}

/** The contract's next date, and how far away it is. */
function NextDate({ contract }: { contract: Contract }) {
  const { status, endsOn, renewalDate, daysLeft } = contract
  if (!isOpen(status)) return endsOn && <Text>{`Ended on ${formatDay(endsOn)}`}</Text>
  if (endsOn) return <Text>{`Ends on ${formatDay(endsOn)}`}</Text>
  return (
    <Text>
      <Explained how={renewalExplained(contract)}>
        {`${daysLeft < 0 ? 'Was due to renew on' : 'Renews on'} ${formatDay(renewalDate)}`}
      </Explained>
      {', '}
      <Explained how={`Calendar days from today to ${formatDay(renewalDate)}`}>
        {timeLeftText(daysLeft).toLowerCase()}
      </Explained>
    </Text>
  )
}

/** What can be decided about the contract now. */
function Acts({ contract }: { contract: Contract }) {
  const { reopen, undo } = useContractActs()
  const isAnyPending = useAnyPendingAct()
  const decisions = useDecisions()
  const { id } = contract
  // The last act shows before it is over: until then no other one begins.
  const busy = isAnyPending(id)
  // Cached by the timeline below.
  const terms = trpc.contracts.terms.useQuery({ id })
  const undoes = terms.data?.[0]?.undoes ?? null
  const isRunning = isOpen(contract.status) && contract.endsOn === null
  const kept = useKeptFocus(String(isRunning))
  return (
    <div {...kept}>
      <Group gap="sm" {...whenButtonNears(decisions.prefetch)}>
        {isRunning && (
          <>
            <ChangeButton busy={busy} onClick={() => decisions.renew(contract)}>
              Renew
            </ChangeButton>
            {contract.daysLeft >= 0 && (
              <ChangeButton variant="default" onClick={() => decisions.renewWithChanges(contract)}>
                Renew With Changes
              </ChangeButton>
            )}
            <ChangeButton variant="default" busy={busy} onClick={() => decisions.end(contract)}>
              End
            </ChangeButton>
          </>
        )}
        {!isRunning && (
          <ChangeButton busy={busy} onClick={() => reopen(contract)}>
            {isOpen(contract.status) ? 'Keep Open' : 'Reopen'}
          </ChangeButton>
        )}
        {undoes !== null && (
          <ChangeButton variant="subtle" busy={busy} onClick={() => undo(contract)}>
            Undo Last Decision
          </ChangeButton>
        )}
        {decisions.dialogs}
      </Group>
    </div>
  )
}

/** What there is to say about a contract. What was entered is edited where it is shown. */
function Details({ contract }: { contract: Contract }) {
  const move = useMoveRenewal()
  const editable = useEditableDetails(contract, move)
  const { nextAmount, nextCycle, noticeDate, noticePeriod } = contract
  const change = [
    nextAmount === null ? [] : formatMoney(nextAmount),
    nextCycle === null ? [] : CYCLE_LABELS[nextCycle].toLowerCase(),
  ].flat()
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
    ...(change.length > 0 ? [{ label: 'From the Next Term', value: change.join(', ') }] : []),
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
