import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isOpen } from '#shared/domain/contract-status.ts'
import { failureOf, trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { TagBadges } from '#client/tags/tag-badges.tsx'
import { CYCLE_LABELS, RENEWS_LABELS, statusBadge, timeLeftText } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import { DetailList, type Detail } from '#client/ui/detail-list.tsx'
import { Explained } from '#client/ui/explained.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import type { Contract } from './form/contract-form.ts'
import { PdfPanel } from './pdf/pdf-panel.tsx'
import { PdfProvider } from './pdf/pdf-provider.tsx'
import { renewalExplained } from '#client/renewals/renewal-words.ts'
import { TermsTimeline } from '#client/renewals/terms-timeline.tsx'
import { useContractActs } from '#client/renewals/use-contract-acts.ts'
import { useDecisions } from '#client/renewals/use-decisions.tsx'

const Dialogs = onDemand(async () => (await import('./contract-dialogs.tsx')).ContractDialogs)

interface ContractPageProps {
  id: number
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
  if (contract.error && failureOf(contract.error).refusal === 'CONTRACT_NOT_FOUND') return <Missing />
  return (
    <>
      <QueryError query={contract} failed="Failed to fetch contract" />
      {contract.data && <Loaded contract={contract.data} {...parts} />}
    </>
  )
}

function Missing() {
  return (
    <PageHeader title="Contract not found" description="It may have been deleted.">
      <Button renderRoot={(props) => <Link to="/contracts" {...props} />}>Go to Contracts</Button>
    </PageHeader>
  )
}

function Loaded({ contract, reminders, history, onDeleted }: Omit<ContractPageProps, 'id'> & { contract: Contract }) {
  const [form, removal, pdfRemoval] = [useRowDialog([contract]), useRowDialog([contract]), useRowDialog([contract])]
  const isRefused = useReadOnlyGuard()
  const badge = statusBadge(contract)
  return (
    <PdfProvider contracts={[contract]} onRemove={pdfRemoval.open}>
      <Stack gap="lg" data-takes-pdf {...whenButtonNears(Dialogs.prefetch)}>
        <Anchor renderRoot={(props) => <Link to="/contracts" {...props} />} size="sm">
          All contracts
        </Anchor>
        <PageHeader title={contract.customerName} description={contract.title ?? 'Contract'}>
          <ChangeButton variant="default" onClick={() => form.open(contract)}>
            Edit
          </ChangeButton>
          <Button variant="default" color="red" onClick={() => isRefused() || removal.open(contract)}>
            Delete
          </Button>
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
        <DetailList details={detailsOf(contract)} />
        <PageSection title="Terms">
          <TermsTimeline contractId={contract.id} />
        </PageSection>
        <PdfPanel contract={contract} />
        {reminders}
        {history}
      </Stack>
      <Dialogs.Part
        wanted={form.opened || removal.opened || pdfRemoval.opened}
        dialogs={{ form, removal, pdfRemoval }}
        onOwnPage
        onDeleted={onDeleted}
      />
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
      <Explained how={renewalExplained(contract)}>{`Renews on ${formatDay(renewalDate)}`}</Explained>
      {`, ${timeLeftText(daysLeft).toLowerCase()}`}
    </Text>
  )
}

/** What can be decided about the contract now. */
function Acts({ contract }: { contract: Contract }) {
  const { reopen, undo } = useContractActs()
  const decisions = useDecisions()
  // Cached by the timeline below.
  const terms = trpc.contracts.terms.useQuery({ id: contract.id })
  const isDecided = terms.data?.some(({ decidedAt }) => decidedAt !== null)
  const isRunning = isOpen(contract.status) && contract.endsOn === null
  return (
    <Group gap="sm" {...whenButtonNears(decisions.prefetch)}>
      {isRunning && (
        <>
          <ChangeButton onClick={() => decisions.renew(contract)}>Renew</ChangeButton>
          {contract.daysLeft >= 0 && (
            <ChangeButton variant="default" onClick={() => decisions.renewWithChanges(contract)}>
              Renew With Changes
            </ChangeButton>
          )}
          <ChangeButton variant="default" onClick={() => decisions.end(contract)}>
            End
          </ChangeButton>
        </>
      )}
      {!isRunning && (
        <ChangeButton onClick={() => reopen(contract)}>{isOpen(contract.status) ? 'Keep Open' : 'Reopen'}</ChangeButton>
      )}
      {isDecided && (
        <ChangeButton variant="subtle" onClick={() => undo(contract)}>
          Undo Last Decision
        </ChangeButton>
      )}
      {decisions.dialogs}
    </Group>
  )
}

function detailsOf(contract: Contract): Detail[] {
  const { nextAmount, nextCycle, noticeDate, noticePeriod, reference } = contract
  const change = [
    nextAmount === null ? [] : formatMoney(nextAmount),
    nextCycle === null ? [] : CYCLE_LABELS[nextCycle].toLowerCase(),
  ].flat()
  return [
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
    { label: 'Amount', value: `${formatMoney(contract.amount)}, ${CYCLE_LABELS[contract.renewalCycle].toLowerCase()}` },
    ...(change.length > 0 ? [{ label: 'From the Next Term', value: change.join(', ') }] : []),
    { label: 'Start Date', value: formatDay(contract.startDate) },
    { label: 'Renews', value: RENEWS_LABELS[contract.renews] },
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
    ...(reference ? [{ label: 'Reference', value: reference }] : []),
    ...(contract.tags.length > 0 ? [{ label: 'Tags', value: <TagBadges tags={contract.tags} /> }] : []),
  ]
}
