import { Button, Group, Stack, Text } from '@mantine/core'
import type { ActivitySubject } from '#shared/domain/activity.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { formatDate, formatTime } from '#client/text/format.ts'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { changeText } from '#client/text/change-words.ts'
import { ACTION_LABELS, actorText } from './activity-words.ts'
import classes from './history.module.css'

const PAGE = 5

type Activity = Outputs['activity']['list']['rows'][number]

/** What has changed, newest first. */
export function ActivityList({ about, id }: { about: ActivitySubject; id: number }) {
  const activity = trpc.activity.list.useInfiniteQuery(
    { about, id, limit: PAGE },
    { getNextPageParam: ({ more, last }) => (more && last ? last : undefined) },
  )
  const rows = activity.data?.pages.flatMap((page) => page.rows)
  return (
    <PageSection title="Activity">
      {activity.isPending && <Placeholder heights={[120]} />}
      <QueryError query={activity} failed="Failed to fetch activity" />
      {rows && (
        <ul className={classes.list} aria-label="Activity">
          {rows.map((one) => (
            <Entry key={one.id} activity={one} />
          ))}
        </ul>
      )}
      {activity.hasNextPage && (
        <div>
          <Button
            variant="default"
            size="xs"
            loading={activity.isFetchingNextPage}
            onClick={() => void activity.fetchNextPage()}
          >
            Show More
          </Button>
        </div>
      )}
    </PageSection>
  )
}

function Entry({ activity: { action, at, by, changes } }: { activity: Activity }) {
  const who = actorText(by)
  return (
    <Stack component="li" gap={2} className={classes.entry}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {ACTION_LABELS[action]}
        </Text>
        <Text size="xs" c="dimmed">
          {`${who ? `${who}, ` : ''}${formatDate(at)}, ${formatTime(at)}`}
        </Text>
      </Group>
      {changes.map((change) => (
        <Text key={change.field} size="sm" className={classes.text}>
          {changeText(change)}
        </Text>
      ))}
    </Stack>
  )
}
