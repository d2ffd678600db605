import { Box, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { noticesTodayText, unknownMailText, UNKNOWN_MAIL } from './mail-text.ts'
import type { NoticesAnnouncement } from './use-announced-notices.ts'

// Two lines. Reserves space so that nothing moves.
const KEPT_PX = 44

interface NoticesTodayProps {
  announced: Pick<NoticesAnnouncement, 'announced' | 'isUnknown' | 'error'>
  /** Who gets them; never a name, which could take more lines. */
  to?: 'customers' | 'this customer'
}

/** Shows beforehand how many notices go out today; nothing where there are none. */
export function NoticesToday({ announced, to = 'customers' }: NoticesTodayProps) {
  const text = textOf(announced, to)
  return (
    <Box mih={KEPT_PX} aria-live="polite">
      {text && <Text size="sm">{text}</Text>}
    </Box>
  )
}

function textOf({ announced, isUnknown, error }: NoticesTodayProps['announced'], to: string): string | undefined {
  if (error) return failureText(error, UNKNOWN_MAIL)
  if (isUnknown) return unknownMailText(to)
  return announced && noticesTodayText(announced, to)
}
