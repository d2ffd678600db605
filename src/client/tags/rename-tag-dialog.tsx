import { Alert, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useEffectEvent, useState } from 'react'
import { tagKey } from '#shared/domain/tags.ts'
import { RenameTag } from '#shared/schemas/tags.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { NoticesToday } from '#client/mail/notices-today.tsx'
import { useNoticesOfTag } from '#client/mail/use-announced-notices.ts'
import { counted } from '#client/text/counted.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { useRefreshTags, type Tag } from './use-refresh-tags.ts'

interface RenameTagDialogProps {
  opened: boolean
  tag: Tag | undefined
  /** All of the account. */
  tags: readonly Tag[]
  onClose: () => void
}

const NOT_MERGED = 'Not merged yet. Check which emails will be sent, then merge again.'
const FAILURE = { failed: 'Failed to rename tag', network: 'Network error' }

/** Renames a tag everywhere. With the name of another tag the two become one, which it says beforehand. */
export function RenameTagDialog({ opened, tag, tags, onClose }: RenameTagDialogProps) {
  const [failure, setFailure] = useState<string>()
  const form = useForm({ initialValues: { tag: '', name: '' }, validate: schemaResolver(RenameTag, { sync: true }) })
  const rename = useRenameTag()
  const start = useEffectEvent(() => {
    const values = { tag: tag?.name ?? '', name: tag?.name ?? '' }
    form.setInitialValues(values)
    form.setValues(values)
    form.clearErrors()
  })
  useEffect(() => {
    if (opened) start()
  }, [opened])

  const close = () => {
    setFailure(undefined)
    onClose()
  }
  const key = tagKey(form.values.name)
  const other = tags.find(({ name }) => name !== tag?.name && tagKey(name) === key)
  const { confirmShown, ...announced } = useNoticesOfTag(
    opened && tag && other ? { tag: tag.name, name: other.name } : undefined,
  )
  const submit = form.onSubmit(async (values) => {
    if (!opened) return undefined
    setFailure(undefined)
    if (!(await confirmShown())) return setFailure(NOT_MERGED)
    await rename(values, other).then(close, (error: unknown) => setFailure(failureText(error, FAILURE)))
  })
  return (
    <FormDialog
      opened={opened}
      title="Rename Tag"
      submitLabel={other ? 'Merge Tags' : 'Rename'}
      busy={form.submitting}
      unsaved={form.isDirty()}
      error={failure}
      onSubmit={submit}
      onClose={close}
    >
      <TextInput label="Tag" required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      {other && tag && (
        <Alert color="yellow" role="status">
          {`You already have "${other.name}". ${counted(tag.contracts, 'contracts')} and ` +
            `${counted(tag.customers, 'customers')} tagged "${tag.name}" will be tagged "${other.name}" instead. ` +
            'This cannot be undone.'}
        </Alert>
      )}
      {other && <NoticesToday announced={announced} />}
    </FormDialog>
  )
}

/** Two tags that have become one cannot be told apart again, so that only a plain renaming has an Undo. */
function useRenameTag() {
  const { client } = trpc.useUtils()
  const refresh = useRefreshTags()
  return async ({ tag, name }: RenameTag, other: Tag | undefined) => {
    const renamed = await client.tags.rename.mutate({ tag, name })
    void refresh()
    const undo = () =>
      client.tags.rename
        .mutate({ tag: renamed.name, name: tag })
        .then(refresh, (error: unknown) => toastFailure(failureText(error, FAILURE)))
    const text = `Renamed "${tag}" to "${renamed.name}"`
    if (other) toastSuccess(text)
    else if (renamed.name !== tag) toastUndo(text, undo)
  }
}
