import { trpc } from '#client/api/trpc.ts'
import { DeleteDialog } from '#client/forms/delete-dialog.tsx'
import { NoticesToday } from '#client/mail/notices-today.tsx'
import { useNoticesOfTag } from '#client/mail/use-announced-notices.ts'
import { counted } from '#client/text/counted.ts'
import { useRefreshTags, type Tag } from './use-refresh-tags.ts'

interface RemoveTagProps {
  opened: boolean
  tag: Tag | undefined
  onClose: () => void
}

/** Nothing remembers what had the tag, so it asks first. */
export function RemoveTag({ tag, ...dialog }: RemoveTagProps) {
  const { client } = trpc.useUtils()
  const refresh = useRefreshTags()
  const { confirmShown, ...announced } = useNoticesOfTag(dialog.opened && tag ? { tag: tag.name } : undefined)
  if (!tag) return null
  const { name, contracts, customers } = tag
  return (
    <DeleteDialog
      title="Remove Tag"
      confirmLabel="Remove"
      toRead={async () => ((await confirmShown()) ? undefined : NOT_REMOVED)}
      remove={() => client.tags.remove.mutate({ tag: name })}
      done={`Tag "${name}" removed`}
      failure={{ failed: 'Failed to remove tag' }}
      onClosed={() => void refresh()}
      {...dialog}
    >
      <p>
        Remove <strong>{name}</strong> from {counted(contracts, 'contracts')} and {counted(customers, 'customers')}?
      </p>
      <p>Those in the trash lose it too. This cannot be undone.</p>
      <NoticesToday announced={announced} />
    </DeleteDialog>
  )
}

const NOT_REMOVED = 'Not removed yet. Check which emails will be sent, then press Remove again.'
