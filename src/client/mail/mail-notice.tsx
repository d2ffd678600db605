import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Box, Checkbox, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { mailText, UNKNOWN_MAIL, unknownMailText } from './mail-text.ts'
import type { MailAnnouncement } from './use-announced-mail.ts'

// Two lines and the checkbox. Reserves space so that buttons do not move.
const KEPT_PX = 72

interface MailNoticeProps {
  announced: Pick<MailAnnouncement, 'mayChangeMail' | 'mayBeMuted' | 'mail' | 'isUnknown' | 'error'>
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
      {text && announced.mayBeMuted && (isMuted || (announced.mail && !announced.error)) && (
        <Checkbox
          mt="xs"
          label="Do not send these emails"
          description="Emails about later renewal dates will go out as usual."
          checked={isMuted}
          onChange={({ currentTarget }) => onMute(currentTarget.checked)}
        />
      )}
    </Box>
  )
}

function noticeText({ mail, isUnknown, error }: MailNoticeProps['announced'], customerName: string) {
  if (error) return failureText(error, UNKNOWN_MAIL)
  if (isUnknown) return unknownMailText(customerName)
  // The emails that go out anyway are not counted then.
  if (mail?.isAddition && mail.count === 0) return undefined
  return mail && mailText(mail, customerName)
}
