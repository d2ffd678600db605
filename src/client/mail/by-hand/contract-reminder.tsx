import { ActionIcon, Group } from '@mantine/core'
import { EyeOpenIcon } from '@radix-ui/react-icons'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { SendReminder } from './send-reminder.tsx'
import { useSendReminder, watchInterval, type TodaysReminders } from './use-send-reminder.ts'

const Preview = onDemand(async () => (await import('./reminder-preview.tsx')).ReminderPreview)

type Reminders = Outputs['reminders']['ofContract']
type Contract = Pick<Outputs['contracts']['get'], 'id' | 'customerName'>

/** Sends a reminder about one contract, and shows it before. */
export function ContractReminder({ contract }: { contract: Contract }) {
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
  const preview = useDialogAbout<Contract>()
  return (
    <Group gap={4} wrap="nowrap" {...whenButtonNears(Preview.prefetch)}>
      <SendReminder size="sm" contract={contract} control={control} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Preview the reminder: ${contract.customerName}`}
        title="Preview the reminder"
        onClick={() => preview.open(contract)}
      >
        <EyeOpenIcon aria-hidden />
      </ActionIcon>
      <Preview.Part
        wanted={preview.opened}
        opened={preview.opened}
        contract={preview.about}
        control={control}
        onClose={preview.close}
      />
    </Group>
  )
}

function todaysOf(contractId: number, reminders: Reminders | undefined): TodaysReminders | undefined {
  if (!reminders) return undefined
  const { isRemindedToday, goesOutAt } = reminders
  return {
    remindedToday: isRemindedToday ? [contractId] : [],
    plannedReminders: goesOutAt ? [{ contractId, goesOutAt }] : [],
  }
}
