import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from '#shared/domain/reminder-preferences.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { useUnsaved } from '#client/ui/dialogs/use-unsaved.ts'
import { DayChips } from './day-chips.tsx'

type Reminders = Outputs['reminders']['ofContract']
type Own = Reminders['own']

interface ContractSettingsProps {
  id: number
  reminders: Reminders
  onClose: () => void
}

/** The settings in which one contract differs from its account. */
export function ContractSettings({ id, reminders, onClose }: ContractSettingsProps) {
  const { account } = reminders
  const utils = trpc.useUtils()
  const [own, setOwn] = useState<Own>(reminders.own)
  useUnsaved(JSON.stringify(own) !== JSON.stringify(reminders.own))
  const change = (changes: Partial<Own>) => setOwn((before) => ({ ...before, ...changes }))
  const save = trpc.reminders.saveContractSettings.useMutation({
    onSuccess: (saved) => {
      utils.reminders.ofContract.setData({ id }, saved)
      void utils.reminders.invalidate()
      onClose()
    },
  })
  return (
    <Paper withBorder p="md" role="group" aria-label="Reminder settings of this contract">
      <Stack gap="md">
        <Flags own={own} account={account} onChange={change} />
        <DayChips
          label="Days before renewal"
          options={REMINDER_DAYS}
          days={own.reminderDays ?? account.reminderDays}
          onDays={(reminderDays) => change({ reminderDays })}
        />
        <DayChips
          label="Days after renewal"
          options={FOLLOW_UP_DAYS}
          days={own.followUpDays ?? account.followUpDays}
          onDays={(followUpDays) => change({ followUpDays })}
        />
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="subtle" disabled={save.isPending} onClick={() => setOwn(AS_THE_ACCOUNT)}>
            Use Account Settings
          </Button>
          <Button size="xs" variant="default" disabled={save.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button size="xs" loading={save.isPending} onClick={() => save.mutate({ id, ...own })}>
            Save Settings
          </Button>
        </Group>
        {save.error && <FormFailure>{failureText(save.error, { failed: 'Failed to save settings' })}</FormFailure>}
      </Stack>
    </Paper>
  )
}

const AS_THE_ACCOUNT: Own = {
  enableNotifications: null,
  reminderDays: null,
  followUpDays: null,
  email: null,
  inApp: null,
}

interface FlagsProps {
  own: Own
  account: Reminders['account']
  onChange: (changes: Partial<Own>) => void
}

function Flags({ own, account, onChange }: FlagsProps) {
  const flags = [
    { label: 'Reminders', name: 'enableNotifications', wanted: account.enableNotifications },
    { label: 'Email to you', name: 'email', wanted: account.notificationMethods.email },
    { label: 'In-app notification to you', name: 'inApp', wanted: account.notificationMethods.inApp },
  ] as const
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {flags.map(({ label, name, wanted }) => (
        <Flag
          key={name}
          label={label}
          value={own[name]}
          account={wanted}
          onValue={(value) => onChange({ [name]: value })}
        />
      ))}
    </SimpleGrid>
  )
}

interface FlagProps {
  label: string
  /** Null for the account's default. */
  value: boolean | null
  account: boolean
  onValue: (value: boolean | null) => void
}

function Flag({ label, value, account, onValue }: FlagProps) {
  return (
    <NativeSelect
      label={label}
      size="xs"
      data={[
        { value: 'null', label: `Account default (${account ? 'on' : 'off'})` },
        { value: 'true', label: 'On' },
        { value: 'false', label: 'Off' },
      ]}
      rightSection={<CaretSortIcon aria-hidden />}
      value={String(value)}
      onChange={({ currentTarget }) => onValue(CHOICES[currentTarget.value] ?? null)}
    />
  )
}

const CHOICES: Record<string, boolean> = { true: true, false: false }
