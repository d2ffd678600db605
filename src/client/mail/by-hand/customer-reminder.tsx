import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { ReminderButtons } from './reminder-buttons.tsx'
import { useSendReminder, watchInterval, withPlanned } from './use-send-reminder.ts'

const Preview = onDemand(async () => (await import('./reminder-preview.tsx')).ReminderPreview)

/** A contract about which a reminder can be sent. */
interface Choice {
  id: number
  customerName: string
  /** What tells it from the customer's other contracts. */
  label: string
}

interface CustomerReminderProps {
  customerId: number
  /** The open ones, the next to come first. */
  contracts: Choice[]
}

/** Sends a reminder from a customer's page: about the only open contract, or one that is chosen. */
export function CustomerReminder({ customerId, contracts }: CustomerReminderProps) {
  const key = { id: customerId }
  const { ofCustomer } = trpc.useUtils().reminders
  // The messages below are of the same answer.
  const reminders = trpc.reminders.ofCustomer.useQuery(key, {
    refetchInterval: ({ state }) => watchInterval(state.data?.plannedReminders),
  })
  const control = useSendReminder({
    known: () => ofCustomer.getData(key) ?? reminders.data,
    addPlanned: (planned) => ofCustomer.setData(key, (before) => before && withPlanned(before, planned)),
  })
  const preview = useDialogAbout<Choice>()
  const [first] = contracts
  if (!first) return null
  if (contracts.length === 1) return <ReminderButtons contract={first} control={control} />
  return (
    <div {...whenButtonNears(Preview.prefetch)}>
      <ChangeButton variant="default" onClick={() => preview.open(first)}>
        Send Reminder
      </ChangeButton>
      <Preview.Part
        wanted={preview.opened}
        opened={preview.opened}
        contract={preview.about}
        choices={contracts}
        onChoose={(id) => preview.open(contracts.find((one) => one.id === id))}
        control={control}
        onClose={preview.close}
      />
    </div>
  )
}
