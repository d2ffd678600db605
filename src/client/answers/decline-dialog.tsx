import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LONGEST_NOTE } from '#shared/schemas/renewals.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { answerTitle, type Answer } from './answer-words.ts'
import { useAnswerActs } from './use-answer-acts.ts'

interface DeclineDialogProps {
  opened: boolean
  answer: Answer | undefined
  onClose: () => void
}

/** Declines an answer: the contract stays as it is. */
export function DeclineDialog({ opened, answer, onClose }: DeclineDialogProps) {
  if (!answer) return null
  return <DeclineForm key={answer.id} opened={opened} answer={answer} onClose={onClose} />
}

function DeclineForm({ opened, answer, onClose }: DeclineDialogProps & { answer: Answer }) {
  const { decline, failureOf } = useAnswerActs()
  const [reply, setReply] = useState('')
  const [failure, setFailure] = useState<string>()
  const submit = () => {
    if (decline.isPending) return
    setFailure(undefined)
    decline.mutate(
      { id: answer.id, reply: reply.trim() || null },
      { onSuccess: onClose, onError: (error) => setFailure(failureOf('decline', error)) },
    )
  }
  return (
    <FormDialog
      opened={opened}
      title={answer.isOvertaken ? 'Dismiss the Answer' : 'Decline the Answer'}
      submitLabel={answer.isOvertaken ? 'Dismiss' : 'Decline'}
      busy={decline.isPending}
      unsaved={reply !== ''}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {answer.isOvertaken
          ? `${answerTitle(answer)} has changed since, and stays as it now is. The customer is not told.`
          : `${answerTitle(answer)} stays as it is, and its reminders go on. The customer gets an email about it, and can answer again.`}
      </Text>
      {!answer.isOvertaken && (
        <Textarea
          label="Message to the Customer"
          description="Optional. Added to the email that the customer gets."
          rows={3}
          maxLength={LONGEST_NOTE}
          value={reply}
          onChange={({ currentTarget: { value } }) => setReply(value)}
        />
      )}
    </FormDialog>
  )
}
