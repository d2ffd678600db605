import { Button, Group, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import type { Question } from './import-answer.ts'
import { MailCount } from './mail-count.tsx'
import { counted, interruptedText } from './import-words.ts'
import classes from './question-step.module.css'

interface QuestionStepProps {
  question: Question
  onReply: (choice: string) => void
  onCancel: () => void
}

/** What only a person can know of the file. The only choice there is needs no choosing. */
export function QuestionStep({ question, onReply, onCancel }: QuestionStepProps) {
  const { text, choices } = question
  const [only] = choices.length === 1 ? choices : []
  const [chosen, setChosen] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const reply = () => {
    const choice = only?.value ?? chosen
    setMissing(choice === undefined)
    if (choice !== undefined) onReply(choice)
  }
  return (
    <Stack gap="lg">
      {only ? (
        <Text fw={600}>{text}</Text>
      ) : (
        <Choices question={question} chosen={chosen} isMissing={isMissing} onChoose={setChosen} />
      )}
      <Reason {...question} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={reply}>{only?.label ?? (question.mail ? 'Import' : 'Continue')}</Button>
      </Group>
    </Stack>
  )
}

interface ChoicesProps {
  question: Question
  chosen: string | undefined
  /** One was wanted, and none is chosen. */
  isMissing: boolean
  onChoose: (choice: string) => void
}

function Choices({ question: { text, choices, mail }, chosen, isMissing, onChoose }: ChoicesProps) {
  const name = useId()
  return (
    <fieldset className={classes.choices}>
      <legend>{text}</legend>
      {mail && <MailCount {...mail} />}
      {choices.map(({ value, label }) => (
        <label key={value} className={classes.choice}>
          <input type="radio" name={name} checked={chosen === value} onChange={() => onChoose(value)} />
          {label}
        </label>
      ))}
      {isMissing && chosen === undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          Please choose one
        </Text>
      )}
    </fieldset>
  )
}

function Reason({ example, earlier, mail }: Question) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {example && `For example on line ${example.line}, in the column "${example.column}": ${example.value}`}
      {earlier && earlierText(earlier)}
      {mail && ALSO_LATER}
    </Text>
  )
}

const ALSO_LATER =
  'If you choose not to write, that goes for every renewal date in this file. Later renewals are announced as usual.'

function earlierText({ createdAt, created, failed, status, throughLine }: NonNullable<Question['earlier']>): string {
  const when = formatInstant(createdAt, browserTimeZone())
  const text = `Imported on ${when}: ${counted(created, 'rows')} created, ${failed} failed.`
  return status === 'interrupted' ? `${text} ${interruptedText(throughLine)}` : text
}
