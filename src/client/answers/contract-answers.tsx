import { Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { ChangeButton, EditableFields } from '#client/forms/read-only.tsx'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { AnswerList } from './answer-list.tsx'
import { DEADLINE_WORDS, LATE_WORDS, oneOfOptions, optionsOf, RENEWAL_WORDS } from './answer-options.ts'

/** What a customer answered about a contract, and how the customer can. */
export function ContractAnswers({ contractId }: { contractId: number }) {
  const answers = trpc.answers.list.useQuery({ contractId, limit: 100 })
  const [isEditing, setIsEditing] = useState(false)
  return (
    <PageSection
      title="Answers"
      action={
        <Group gap="xs">
          <ChangeButton
            size="xs"
            variant="default"
            aria-expanded={isEditing}
            onClick={() => setIsEditing((before) => !before)}
          >
            {isEditing ? 'Hide Settings' : 'Settings for This Contract'}
          </ChangeButton>
          <RevokeButton contractId={contractId} />
        </Group>
      }
    >
      {isEditing && <ContractSettings contractId={contractId} />}
      <QueryError query={answers} failed="Failed to fetch answers" />
      {answers.isPending && <Placeholder heights={[60]} />}
      {answers.data && (
        <Paper withBorder>
          {answers.data.rows.length > 0 ? (
            <AnswerList answers={answers.data.rows} />
          ) : (
            <Text p="md" size="sm" c="dimmed">
              The customer has not answered a reminder about this contract yet.
            </Text>
          )}
        </Paper>
      )}
    </PageSection>
  )
}

/** They are asked for only when they are to be seen, as most contracts have none of their own. */
function ContractSettings({ contractId }: { contractId: number }) {
  const settings = trpc.answers.contractSettings.useQuery({ id: contractId })
  return (
    <>
      <QueryError query={settings} failed="Failed to fetch answer settings" />
      {settings.isPending && <Placeholder heights={[90]} />}
      {settings.data && <OwnSettings contractId={contractId} settings={settings.data} />}
    </>
  )
}

/** Asks first: customers may be about to use their links, which cannot be brought back. */
function RevokeButton({ contractId }: { contractId: number }) {
  const [isAsking, setIsAsking] = useState(false)
  const isRefused = useReadOnlyGuard()
  const utils = trpc.useUtils()
  const revoke = trpc.answers.revokeLinks.useMutation({
    onSuccess: ({ revoked }) => {
      setIsAsking(false)
      toastSuccess(
        revoked === 0 ? 'No link was in use' : 'Links for answering no longer work. The next reminder has a new one',
      )
      return utils.answers.invalidate()
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to withdraw the links' })),
  })
  return (
    <>
      <ChangeButton variant="default" size="xs" onClick={() => isRefused() || setIsAsking(true)}>
        Withdraw Links
      </ChangeButton>
      <ConfirmDialog
        opened={isAsking}
        title="Withdraw the links for answering?"
        confirmLabel="Withdraw"
        danger
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate({ id: contractId })}
        onCancel={() => setIsAsking(false)}
      >
        The links in reminders about this contract that were sent before stop working. The next reminder has a new one.
      </ConfirmDialog>
    </>
  )
}

type Settings = Outputs['answers']['contractSettings']

/** One contract's own settings; each is saved as it is chosen. */
function OwnSettings({ contractId, settings: { account, own } }: { contractId: number; settings: Settings }) {
  const utils = trpc.useUtils()
  const save = trpc.answers.saveContractSettings.useMutation({
    onSuccess: (saved) => {
      utils.answers.contractSettings.setData({ id: contractId }, saved)
      toastSuccess('Saved')
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to save settings' })),
  })
  const shown = save.isPending ? save.variables : own
  const change = (changes: Partial<Settings['own']>) => save.mutate({ id: contractId, ...own, ...changes })
  const yesOrNo = (label: string, name: 'hasLink' | 'showsPdf') => (
    <NativeSelect
      label={label}
      description={name === 'showsPdf' && 'Once you have paid for your plan'}
      data={withAccounts(YES_NO, account[name] ? 'yes' : 'no')}
      value={yesNoOf(shown[name])}
      onChange={({ currentTarget: { value } }) => change({ [name]: value === '' ? null : value === 'yes' })}
    />
  )
  return (
    <EditableFields>
      <Stack gap="xs">
        <Group gap="md" align="end">
          {yesOrNo('Link in reminders', 'hasLink')}
          <NativeSelect
            label="When the customer renews"
            data={withAccounts(RENEWAL_WORDS, account.renewal)}
            value={shown.renewal ?? ''}
            onChange={({ currentTarget: { value } }) => change({ renewal: oneOfOptions(RENEWAL_WORDS, value) ?? null })}
          />
          <NativeSelect
            label="The customer can answer"
            data={withAccounts(DEADLINE_WORDS, account.deadline)}
            value={shown.deadline ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ deadline: oneOfOptions(DEADLINE_WORDS, value) ?? null })
            }
          />
          <NativeSelect
            label={'Late "do not renew"'}
            data={withAccounts(LATE_WORDS, account.lateEnd)}
            value={shown.lateEnd ?? ''}
            onChange={({ currentTarget: { value } }) => change({ lateEnd: oneOfOptions(LATE_WORDS, value) ?? null })}
          />
          {yesOrNo('Shows the PDF', 'showsPdf')}
        </Group>
      </Stack>
    </EditableFields>
  )
}

function yesNoOf(value: boolean | null): string {
  if (value === null) return ''
  return value ? 'yes' : 'no'
}

const YES_NO = { yes: 'Yes', no: 'No' } as const

/** Options with the account's own setting first. */
function withAccounts<Value extends string>(words: Record<Value, string>, accounts: Value) {
  return [{ value: '', label: `Default: ${lowerFirst(words[accounts])}` }, ...optionsOf(words)]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
