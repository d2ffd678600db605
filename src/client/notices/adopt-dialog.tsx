import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Alert, Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { formatDay } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'
import type { NoticeRules } from './notice-words.ts'
import { useRefreshRules } from './use-refresh-rules.ts'

type Preset = NoticeRules['presets'][number]

interface AdoptDialogProps {
  opened: boolean
  presets: readonly Preset[]
  advice: string
  onClose: () => void
}

/** Shows the laws that were read, and takes over the rule of one. */
export function AdoptDialog({ opened, presets, advice, onClose }: AdoptDialogProps) {
  const [chosen, setChosen] = useState<Preset['preset']>()
  const [emailAgreed, setEmailAgreed] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    // Nothing is left of what was chosen the last time.
    if (opened) {
      setChosen(undefined)
      setEmailAgreed(false)
      setFailure(undefined)
    }
  }
  const refresh = useRefreshRules()
  const preset = presets.find((one) => one.preset === chosen) ?? presets[0]
  const adopt = trpc.noticeRules.adopt.useMutation({
    onSuccess: ({ name }) => {
      toastSuccess(`Notice rule "${name}" added`)
      void refresh()
      onClose()
    },
    onError: (error) => setFailure(failureText(error, { failed: 'Failed to add the rule' })),
  })
  if (!preset) return null
  return (
    <FormDialog
      opened={opened}
      title="Add From a Law"
      submitLabel="Add Rule"
      busy={adopt.isPending}
      unsaved={preset !== presets[0] || emailAgreed}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        setFailure(undefined)
        adopt.mutate({ preset: preset.preset, emailAgreed: emailAgreed && preset.emailMayBeAgreed })
      }}
      onClose={onClose}
    >
      <NativeSelect
        label="Law"
        data-autofocus
        data={presets.map(({ preset: value, name }) => ({ value, label: name }))}
        value={preset.preset}
        onChange={({ currentTarget: { value } }) => setChosen(presets.find((one) => one.preset === value)?.preset)}
      />
      <LawDetails preset={preset} />
      {preset.emailMayBeAgreed && (
        <Checkbox
          label="My customers have agreed to get this notice by email"
          checked={emailAgreed}
          onChange={({ currentTarget: { checked } }) => setEmailAgreed(checked)}
        />
      )}
      <Alert color="yellow">{advice}</Alert>
    </FormDialog>
  )
}

function LawDetails({ preset: { citation, source, readOn, days, conditions, how, consequence } }: { preset: Preset }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{`${citation}, read on ${formatDay(readOn)} (${source})`}</Text>
      <Text size="sm" fw={500}>
        It applies to
      </Text>
      <Text size="sm" component="ul" m={0} pl="lg">
        {conditions.map((condition) => (
          <li key={condition}>{condition}</li>
        ))}
      </Text>
      <Text size="sm">{`Notice is due ${days}. ${how}`}</Text>
      <Text size="sm">{`Without it: ${consequence}.`}</Text>
    </Stack>
  )
}
