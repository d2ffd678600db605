import { Box, Button, Group, Text } from '@mantine/core'
import type { Day } from '#shared/domain/day.ts'
import { failureText } from '#client/failure-text.ts'
import { formatCount, formatDay } from '#client/format.ts'
import { trpc, type Answers } from '#client/trpc.ts'
import { toastFailure } from '#client/ui/toasts.tsx'

// Space kept for what is fetched later, so that no button moves.
const KEPT_PX = 44

/** What the imported contracts will send to customers, before any of it goes out, and the way to turn that off. */
export function ImportMail({ importId }: { importId: number }) {
  const utils = trpc.useUtils()
  const { data, error } = trpc.reminders.announceImportMail.useQuery({ id: importId })
  const mute = trpc.reminders.muteImport.useMutation({
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to save settings' })),
    onSettled: () => utils.reminders.invalidate(),
  })
  return (
    <Box mih={KEPT_PX} aria-live="polite">
      {error && !data && <Text size="sm">{failureText(error, UNCOUNTED)}</Text>}
      {data && data.first !== null && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" flex="1 1 16rem">
            {mailText(data, data.first)}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={mute.isPending}
            onClick={() => mute.mutate({ id: importId, reminders: data.isMuted ? 'on' : 'off' })}
          >
            {data.isMuted ? 'Write about these' : 'Do not write about these'}
          </Button>
        </Group>
      )}
    </Box>
  )
}

const UNCOUNTED = { failed: 'Failed to count the emails that customers will be sent' }

type ImportMailAnswer = Answers['reminders']['announceImportMail']

function mailText({ count, isMuted, countedOf }: ImportMailAnswer, first: Day): string {
  if (isMuted) return 'No emails about these renewal dates go to customers.'
  const emails = count === 1 ? '1 email' : `${formatCount(count)} emails`
  const rest = `to customers will go out: first on ${formatDay(first)}`
  if (countedOf === null) return `${emails} ${rest}`
  return `At least ${emails} ${rest}. Only the ${formatCount(countedOf)} contracts that renew next were counted.`
}
