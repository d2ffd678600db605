import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { NativeSelect, SimpleGrid, Stack, Switch } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from '#shared/domain/reminder-preferences.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { DraftButtons } from '#client/forms/draft-buttons.tsx'
import { EditableFields } from '#client/forms/read-only.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { DayChips } from './day-chips.tsx'
import { hourText, type Settings, type SettingsDraft } from '#client/mail/reminder-words.ts'
import { useDraft, type DraftControl } from '#client/forms/use-draft.ts'
import { SettingsPreview } from './settings-preview.tsx'

const FAILURE = { failed: 'Failed to save settings', network: 'Failed to save settings' }
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))

interface SettingsFormProps {
  /** A link to where the time zone is set. */
  timeZoneLink: ReactNode
  settings: Settings
}

export function SettingsForm({ settings, timeZoneLink }: SettingsFormProps) {
  const utils = trpc.useUtils()
  const { senderName: _name, replyTo: _replyTo, timeZone, ownerEmail: _email, ...saved } = settings
  const control = useDraft<SettingsDraft>(saved, isSame)
  const { draft, isChanged, change, reset, drop } = control
  const save = trpc.reminders.saveSettings.useMutation({
    onSuccess: (answer, sent) => {
      utils.reminders.settings.setData(undefined, answer)
      drop(sent)
      void utils.reminders.invalidate()
      toastSuccess('Notification settings saved successfully!')
    },
    onError: (error) => toastFailure(failureText(error, FAILURE)),
  })
  return (
    <form
      noValidate
      aria-label="Notification settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !save.isPending) save.mutate(draft)
      }}
    >
      <Stack gap="lg">
        <EditableFields>
          <FormSection
            title="Notifications"
            hint="Reminders before a contract renews, and follow-ups once its date has passed."
          >
            <Switch
              label="Enable notifications"
              checked={draft.enableNotifications}
              onChange={(event) => change({ enableNotifications: event.currentTarget.checked })}
            />
          </FormSection>
          <Occasions {...control} />
          <Methods {...control} />
          <Hour {...control} timeZone={timeZone} timeZoneLink={timeZoneLink} />
        </EditableFields>
        <UnsavedChanges isDirty={isChanged} />
        <DraftButtons label="Save Settings" isChanged={isChanged} isSaving={save.isPending} onCancel={reset} />
        {/* Below the buttons, which would move each time that it changes. */}
        {isChanged && <SettingsPreview draft={draft} saved={settings} />}
      </Stack>
    </form>
  )
}

type Control = DraftControl<SettingsDraft>
type Value = SettingsDraft[keyof SettingsDraft]

function isSame(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function Occasions({ draft, change }: Control) {
  return (
    <FormSection title="When">
      <DayChips
        label="Renewal reminders"
        hint="How long before the renewal date"
        options={REMINDER_DAYS}
        days={draft.reminderDays}
        onDays={(reminderDays) => change({ reminderDays })}
      />
      <DayChips
        label="Follow-ups"
        hint="How long after the renewal date, if the contract is still pending or active"
        options={FOLLOW_UP_DAYS}
        days={draft.followUpDays}
        onDays={(followUpDays) => change({ followUpDays })}
      />
    </FormSection>
  )
}

function Methods({ draft, change }: Control) {
  const methods = draft.notificationMethods
  return (
    <FormSection
      title="How you are notified"
      hint="For reminders to you. Customers get theirs by email, unless notifications are off for them."
    >
      <Switch
        label="Email"
        checked={methods.email}
        onChange={({ currentTarget: { checked } }) => change({ notificationMethods: { ...methods, email: checked } })}
      />
      <Switch
        label="In-app notifications"
        checked={methods.inApp}
        onChange={({ currentTarget: { checked } }) => change({ notificationMethods: { ...methods, inApp: checked } })}
      />
    </FormSection>
  )
}

interface HourProps extends Control {
  timeZone: string
  timeZoneLink: ReactNode
}

function Hour({ draft, change, timeZone, timeZoneLink }: HourProps) {
  return (
    <FormSection title="Sending time">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label="Time of day"
          description={
            <>
              In the {timeZone} time zone. {timeZoneLink}
            </>
          }
          data={HOURS}
          rightSection={<CaretSortIcon aria-hidden />}
          value={String(draft.hour)}
          onChange={(event) => change({ hour: Number(event.currentTarget.value) })}
        />
      </SimpleGrid>
    </FormSection>
  )
}
