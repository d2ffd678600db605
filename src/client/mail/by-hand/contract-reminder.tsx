import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ReminderButtons } from './reminder-buttons.tsx'
import { useSendReminder, watchInterval, type TodaysReminders } from './use-send-reminder.ts'

type Reminders = Outputs['reminders']['ofContract']

/** Sends a reminder about one contract from its page. */
export function ContractReminder({ contract }: { contract: Pick<Outputs['contracts']['get'], 'id' | 'customerName'> }) {
  const { id } = contract
  const { ofContract } = trpc.useUtils().reminders
  // The messages below are of the same answer.
  const reminders = trpc.reminders.ofContract.useQuery(
    { id },
    { refetchInterval: ({ state }) => watchInterval(state.data && [state.data]) },
  )
  const control = useSendReminder({
    known: () => todaysOf(id, ofContract.getData({ id }) ?? reminders.data),
    addPlanned: ({ goesOutAt }) => ofContract.setData({ id }, (before) => before && { ...before, goesOutAt }),
  })
  return <ReminderButtons contract={contract} control={control} />
}

function todaysOf(contractId: number, reminders: Reminders | undefined): TodaysReminders | undefined {
  if (!reminders) return undefined
  const { isRemindedToday, goesOutAt } = reminders
  return {
    remindedToday: isRemindedToday ? [contractId] : [],
    plannedReminders: goesOutAt ? [{ contractId, goesOutAt }] : [],
  }
}
