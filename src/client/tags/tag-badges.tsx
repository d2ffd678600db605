import { Badge, Group } from '@mantine/core'

/** The tags of a row; nothing without any. */
export function TagBadges({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <Group component="span" gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} component="span" size="sm" variant="light" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
    </Group>
  )
}
