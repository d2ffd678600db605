import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { counted } from '#client/text/counted.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { RemoveTag } from './remove-tag.tsx'
import { RenameTagDialog } from './rename-tag-dialog.tsx'
import type { Tag } from './use-refresh-tags.ts'
import classes from './tags-screen.module.css'

/** The account's tags, how many have each, to be renamed, merged and removed. */
export function TagsScreen() {
  const tags = trpc.tags.list.useQuery()
  const renaming = useDialogAbout<Tag>()
  const removal = useDialogAbout<Tag>()
  const { data = [] } = tags
  return (
    <Stack gap="lg">
      <PageHeader title="Tags" description="Words that group your customers and contracts" />
      {tags.isPending && <Placeholder heights={[240]} />}
      <QueryError query={tags} failed="Failed to fetch tags" />
      {tags.isSuccess && data.length === 0 && (
        <Paper withBorder>
          <EmptyState title="No tags yet" hint="Add tags to a customer or contract when you edit it" />
        </Paper>
      )}
      {data.length > 0 && (
        <Paper withBorder component="ul" aria-label="Tags" className={classes.list ?? ''}>
          {data.map((tag) => (
            <Entry key={tag.name} tag={tag} onRename={() => renaming.open(tag)} onRemove={() => removal.open(tag)} />
          ))}
        </Paper>
      )}
      <RenameTagDialog opened={renaming.opened} tag={renaming.about} tags={data} onClose={renaming.close} />
      <RemoveTag opened={removal.opened} tag={removal.about} onClose={removal.close} />
    </Stack>
  )
}

interface EntryProps {
  tag: Tag
  onRename: () => void
  onRemove: () => void
}

function Entry({ tag: { name, contracts, customers }, onRename, onRemove }: EntryProps) {
  return (
    <Group component="li" justify="space-between" gap="xs" className={classes.entry}>
      <Stack gap={2} className={classes.name}>
        <Text fw={500}>{name}</Text>
        <Group gap="md">
          <Count count={contracts} noun="contracts">
            {(props) => <Link to="/contracts" search={{ tag: name }} {...props} />}
          </Count>
          <Count count={customers} noun="customers">
            {(props) => <Link to="/customers" search={{ tag: name }} {...props} />}
          </Count>
        </Group>
      </Stack>
      <Group gap={4}>
        <ChangeButton size="compact-sm" variant="subtle" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </ChangeButton>
        <ChangeButton size="compact-sm" variant="subtle" color="red" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </ChangeButton>
      </Group>
    </Group>
  )
}

interface CountProps {
  count: number
  noun: 'contracts' | 'customers'
  /** Links to what is counted. */
  children: (props: object) => ReactNode
}

function Count({ count, noun, children }: CountProps) {
  const text = counted(count, noun)
  if (count === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    )
  }
  return (
    <Anchor size="sm" renderRoot={children}>
      {text}
    </Anchor>
  )
}
