import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Box, Checkbox, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { formatCount, formatDay } from '#client/text/format.ts'
import type { AnnouncedMail, MailAnnouncement } from './use-announced-mail.ts'

// Two lines and the checkbox. Reserves space so that buttons do not move.
const KEPT_PX = 72

interface MailNoticeProps {
  announced: Pick<MailAnnouncement, 'mayChangeMail' | 'mail' | 'isUnknown' | 'error'>
  customerName: string
  isMuted: boolean
  onMute: (isMuted: boolean) => void
}

/** Shows before saving which emails the customer will get about a contract, with a checkbox to send none. */
export function MailNotice({ announced, customerName, isMuted, onMute }: MailNoticeProps) {
  const text = announced.mayChangeMail && noticeText(announced, customerName)
  return (
    <Box mih={KEPT_PX} aria-live="polite">
      {text && <Text size="sm">{text}</Text>}
      {text && announced.mail && announced.mail.count > 0 && !announced.error && (
        <Checkbox
          mt="xs"
          label="Do not send these emails"
          description="Emails about the next renewal date will go out as usual."
          checked={isMuted}
          onChange={({ currentTarget }) => onMute(currentTarget.checked)}
        />
      )}
    </Box>
  )
}

const UNKNOWN = { failed: 'Failed to check which emails will be sent' }

function noticeText({ mail, isUnknown, error }: MailNoticeProps['announced'], customerName: string) {
  if (error) return failureText(error, UNKNOWN)
  if (isUnknown) return `We could not check which emails ${customerName} will get.`
  return mail && mailText(mail, customerName)
}

function mailText({ count, first }: AnnouncedMail, customerName: string): string {
  if (first === null) return `No emails will go to ${customerName} in the next 90 days.`
  const emails = count === 1 ? '1 email' : `${formatCount(count)} emails`
  return `${emails} to ${customerName} will go out, the first on ${formatDay(first)}.`
}
