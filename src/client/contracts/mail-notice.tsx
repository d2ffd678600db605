import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Box, Checkbox, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { formatCount, formatDay } from '#client/text/format.ts'
import type { AnnouncedMail, MailAnnouncement } from './use-announced-mail.ts'

// Two lines and the checkbox: what comes to stand here moves no button.
const KEPT_PX = 72

interface MailNoticeProps {
  announced: Pick<MailAnnouncement, 'isAsked' | 'mail' | 'isUnknown' | 'error'>
  customerName: string
  isMuted: boolean
  onMute: (isMuted: boolean) => void
}

/** Says, before a contract is saved, what its customer will be sent about it, and lets that be turned off. */
export function MailNotice({ announced, customerName, isMuted, onMute }: MailNoticeProps) {
  const text = announced.isAsked && noticeText(announced, customerName)
  return (
    <Box mih={KEPT_PX} aria-live="polite">
      {text && <Text size="sm">{text}</Text>}
      {text && announced.mail && announced.mail.count > 0 && !announced.error && (
        <Checkbox
          mt="xs"
          label="Do not write about these"
          description="About the next renewal date they are written to again."
          checked={isMuted}
          onChange={({ currentTarget }) => onMute(currentTarget.checked)}
        />
      )}
    </Box>
  )
}

const UNCOUNTED = { failed: 'Failed to count the emails that the customer will be sent' }

function noticeText({ mail, isUnknown, error }: MailNoticeProps['announced'], customerName: string) {
  if (error) return failureText(error, UNCOUNTED)
  if (isUnknown) return `It is not known what ${customerName} will be sent.`
  return mail && mailText(mail, customerName)
}

function mailText({ count, first }: AnnouncedMail, customerName: string): string {
  if (first === null) return `No email to ${customerName} goes out in the next 90 days.`
  const emails = count === 1 ? '1 email' : `${formatCount(count)} emails`
  return `${emails} to ${customerName} will go out: first on ${formatDay(first)}`
}
