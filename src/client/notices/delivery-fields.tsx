import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Radio, Stack, TextInput } from '@mantine/core'
import type { LetterDelivery } from '#shared/domain/notice-window.ts'
import { LONGEST_MAIL_NUMBER } from '#shared/schemas/notices.ts'

/** How a letter was delivered; without a delivery, where none has been chosen or none is asked for. */
export interface Delivered {
  delivery: LetterDelivery | null
  mailNumber: string
}

interface DeliveryFieldsProps {
  /** The mail by which a letter must be sent unless it is handed over in person; null where any mail counts. */
  requiredMail: string | null
  delivered: Delivered
  /** Whether what is missing is said. */
  isChecked: boolean
  onChange: (delivered: Delivered) => void
}

/** What is missing of it, by field; nothing where any mail counts. */
export function missingOf({ delivery, mailNumber }: Delivered, requiredMail: string | null) {
  if (requiredMail === null) return {}
  if (delivery === null) return { delivery: 'Choose one' }
  return delivery === 'certified_mail' && mailNumber.trim() === '' ? { mailNumber: 'Enter the number of the mail' } : {}
}

/** Asks for the number of certified mail, and where a law counts only that or handing over, which of these it was. */
export function DeliveryFields({ requiredMail, delivered, isChecked, onChange }: DeliveryFieldsProps) {
  const { delivery, mailNumber } = delivered
  const missing = isChecked ? missingOf(delivered, requiredMail) : {}
  return (
    <>
      {requiredMail !== null && (
        <Radio.Group
          label="How was it delivered?"
          required
          error={missing.delivery}
          value={delivery ?? ''}
          onChange={(value) =>
            onChange(
              value === 'in_person' ? { delivery: value, mailNumber: '' } : { delivery: 'certified_mail', mailNumber },
            )
          }
        >
          <Stack gap="xs" py={6}>
            <Radio value="in_person" label="Handed over in person" />
            <Radio value="certified_mail" label={`Sent by ${requiredMail}`} />
          </Stack>
        </Radio.Group>
      )}
      {delivery !== 'in_person' && (
        <TextInput
          label={requiredMail === null ? 'Certified mail number' : `Number of the ${requiredMail}`}
          {...(requiredMail === null
            ? { description: 'If you have one' }
            : { required: delivery === 'certified_mail' })}
          error={missing.mailNumber}
          maxLength={LONGEST_MAIL_NUMBER}
          autoComplete="off"
          value={mailNumber}
          onChange={({ currentTarget: { value } }) => onChange({ delivery, mailNumber: value })}
        />
      )}
    </>
  )
}
