import { ActionIcon, Group } from '@mantine/core'
import { EyeOpenIcon } from '@radix-ui/react-icons'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { SendReminder } from './send-reminder.tsx'
import type { ReminderControl } from './use-send-reminder.ts'

const Preview = onDemand(async () => (await import('./reminder-preview.tsx')).ReminderPreview)

interface ReminderButtonsProps {
  contract: { id: number; customerName: string }
  control: ReminderControl
}

/** Sends a reminder about one contract, and shows it before. */
export function ReminderButtons({ contract, control }: ReminderButtonsProps) {
  const preview = useDialogAbout<ReminderButtonsProps['contract']>()
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
