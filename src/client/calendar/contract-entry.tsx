import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { DragEvent } from 'react'
import { useReadOnlyReason } from '#client/api/use-read-only.ts'
import { CYCLE_LABELS, timeLeftText } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { isMovable, type Contract } from './calendar-view.ts'
import classes from './calendar.module.css'

/** What can be done with a renewal on the calendar. */
export interface RenewalActs {
  onDrag: (contract: Contract | undefined) => void
  onAsk: (contract: Contract) => void
}

/** What happens to a contract on its renewal date. */
function whatText({ renewalDate, endsOn, renews, daysLeft }: Contract): string {
  if (endsOn !== null) return endsOn === renewalDate ? 'Ends' : `Ends on ${formatDay(endsOn)}`
  return renews === 'automatic' ? `${timeLeftText(daysLeft)}, renews automatically` : timeLeftText(daysLeft)
}

/** A contract that renews on a day: it can be dragged to another, or moved there by its button. */
export function RenewalEntry({ contract, acts }: { contract: Contract; acts: RenewalActs }) {
  const { customerName, amount, renewalCycle } = contract
  const isReadOnly = useReadOnlyReason() !== undefined
  return (
    <Group
      component="li"
      justify="space-between"
      wrap="nowrap"
      gap="xs"
      className={classes.entry ?? ''}
      {...draggable(contract, acts)}
    >
      <Stack gap={2} miw={0}>
        <ContractLink contract={contract} />
        <Text size="sm">{`${formatMoney(amount)}, ${CYCLE_LABELS[renewalCycle].toLowerCase()}`}</Text>
        <Text size="xs" c="dimmed">
          {whatText(contract)}
        </Text>
      </Stack>
      {isMovable(contract) && (
        <Button
          size="xs"
          variant="default"
          flex="none"
          data-disabled={isReadOnly}
          aria-haspopup="dialog"
          aria-label={`Move the renewal: ${customerName}`}
          onClick={() => acts.onAsk(contract)}
        >
          Move
        </Button>
      )}
    </Group>
  )
}

/** A contract on the last day for its notice, which moves with the renewal alone. */
export function NoticeEntry({ contract }: { contract: Contract }) {
  const { amount, renewalDate, noticePeriod } = contract
  return (
    <Stack component="li" gap={2} className={classes.entry ?? ''}>
      <ContractLink contract={contract} />
      <Text size="sm">{`${formatMoney(amount)}, renews on ${formatDay(renewalDate)}`}</Text>
      <Text size="xs" c="dimmed">{`Notice: ${noticePeriod} before`}</Text>
    </Stack>
  )
}

function ContractLink({ contract: { id, customerName, title } }: { contract: Contract }) {
  return (
    <Anchor
      fw={600}
      size="sm"
      draggable={false}
      renderRoot={(props) => <Link to="/contracts/$id" params={{ id }} {...props} />}
    >
      {title === null ? customerName : `${customerName}, ${title}`}
    </Anchor>
  )
}

/** What makes an element with a renewal one that can be dragged. */
export function draggable(contract: Contract, { onDrag }: Pick<RenewalActs, 'onDrag'>) {
  if (!isMovable(contract)) return {}
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.effectAllowed = 'move'
      // Without data, Firefox drags nothing.
      dataTransfer.setData('text/plain', contract.customerName)
      onDrag(contract)
    },
    onDragEnd: () => onDrag(undefined),
  }
}
