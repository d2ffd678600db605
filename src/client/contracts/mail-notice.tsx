import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Box, Checkbox, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { isDay } from '#shared/domain/day.ts'
import { failureText } from '#client/failure-text.ts'
import { formatCount, formatDay } from '#client/format.ts'
import { trpc, type Answers } from '#client/trpc.ts'
import { isMuted, type Contract, type useContractForm } from './contract-form.ts'

// Two lines and the checkbox: what comes to stand here moves no button.
const KEPT_PX = 72

interface MailNoticeProps {
  form: ReturnType<typeof useContractForm>
  contract: Contract | undefined
}

/** Says, before a contract is saved, what its customer will be sent about it, and lets that be turned off. */
export function MailNotice({ form, contract }: MailNoticeProps) {
  const { customerId, renewalDate, status } = form.values
  const isChanged = renewalDate !== contract?.renewalDate || status !== contract.status
  const isKnown = customerId !== null && isDay(renewalDate)
  const mail = trpc.reminders.announceMail.useQuery(
    { id: contract?.id, customerId: customerId ?? 0, renewalDate, status },
    { enabled: isKnown && isChanged, placeholderData: keepPreviousData, gcTime: 0 },
  )
  return (
    <Box mih={KEPT_PX} aria-live="polite">
      {isKnown && isChanged && mail.error && <Text size="sm">{failureText(mail.error, UNCOUNTED)}</Text>}
      {isKnown && isChanged && !mail.error && mail.data && (
        <>
          <Text size="sm">{noticeText(mail.data, form.values.customerName)}</Text>
          {mail.data.count > 0 && (
            <Checkbox
              mt="xs"
              label="Do not write about these"
              description="About the next renewal date they are written to again."
              checked={isMuted(form.values)}
              onChange={({ currentTarget }) =>
                form.setFieldValue('mutedDate', currentTarget.checked ? renewalDate : null)
              }
            />
          )}
        </>
      )}
    </Box>
  )
}

const UNCOUNTED = { failed: 'Failed to count the emails that the customer will be sent' }

function noticeText({ count, first }: Answers['reminders']['announceMail'], customerName: string): string {
  if (first === null) return `No email to ${customerName} goes out in the next 90 days.`
  const emails = count === 1 ? '1 email' : `${formatCount(count)} emails`
  return `${emails} to ${customerName} will go out: first on ${formatDay(first)}`
}
