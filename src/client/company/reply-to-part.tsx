import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { REPLY_TO_CODE_DIGITS } from '#shared/schemas/company.ts'
import { EditableFields } from '#client/forms/read-only.tsx'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import type { Company } from './company-form.tsx'
import type { ReplyToCode } from './use-reply-to-code.ts'

/** Asks for the code that was emailed to a reply-to address, until it is confirmed. */
export function ReplyToPart({ company, code }: { company: Company; code: ReplyToCode }) {
  const { replyTo, isReplyToConfirmed, ownerEmail } = company
  if (replyTo === null || isReplyToConfirmed) return null
  return (
    <FormSection
      title="Confirm your reply-to address"
      hint={
        ownerEmail
          ? `Until ${replyTo} is confirmed, replies go to ${ownerEmail}.`
          : `Replies go to ${replyTo} once it is confirmed.`
      }
    >
      <Text role="status">
        {code.isSent
          ? `We sent a code to ${replyTo}. It is valid for 10 minutes.`
          : `Send a code to ${replyTo}, then enter it here.`}
      </Text>
      <EditableFields>
        <CodeForm key={replyTo} code={code} />
      </EditableFields>
    </FormSection>
  )
}

function CodeForm({ code }: { code: ReplyToCode }) {
  const [digits, setDigits] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (code.isSent) field.current?.focus()
  }, [code.isSent])
  return (
    <form
      noValidate
      aria-label="Confirm the reply-to address"
      onSubmit={(event) => {
        event.preventDefault()
        if (!code.isConfirming) code.confirm(digits)
      }}
    >
      <Group align="flex-start">
        <TextInput
          ref={field}
          aria-label="Code"
          placeholder={'0'.repeat(REPLY_TO_CODE_DIGITS)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={REPLY_TO_CODE_DIGITS}
          w={140}
          value={digits}
          error={code.error}
          onChange={({ currentTarget: { value } }) => setDigits(value)}
        />
        <Button type="submit" loading={code.isConfirming}>
          Confirm
        </Button>
        <Button variant="default" loading={code.isSending} onClick={code.send}>
          {code.isSent ? 'Send a New Code' : 'Send Code'}
        </Button>
      </Group>
    </form>
  )
}
