import '@mantine/core/styles/List.layer.css'
import { Box, Button, List, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { counted } from '#client/text/counted.ts'
import { browserTimeZone, formatCount, formatDay, formatInstant } from '#client/text/format.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import type { Question } from './import-result.ts'
import { ExistingRows } from './existing-rows.tsx'
import { interruptedText, updatedText } from './import-texts.ts'
import classes from './question-step.module.css'

interface QuestionStepProps {
  question: Question
  onReply: (choice: string) => void
  onCancel: () => void
}

/** A question about the file that only a person can answer. A single choice becomes the button. */
export function QuestionStep({ question, onReply, onCancel }: QuestionStepProps) {
  const { text, choices, existing } = question
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
        <div>
          <Text fw={600}>{text}</Text>
          {existing && <ExistingRows existing={existing} />}
        </div>
      ) : (
        <Choices question={question} chosen={chosen} isMissing={isMissing} onChoose={setChosen} />
      )}
      <Reason {...question} />
      <DialogButtons>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={reply}>{only?.label ?? (question.mail ? 'Import' : 'Continue')}</Button>
      </DialogButtons>
    </Stack>
  )
}

interface ChoicesProps {
  question: Question
  chosen: string | undefined
  /** The user continued without choosing. */
  isMissing: boolean
  onChoose: (choice: string) => void
}

function Choices({ question: { text, choices, mail, repeated, existing }, chosen, isMissing, onChoose }: ChoicesProps) {
  const name = useId()
  return (
    <fieldset className={classes.choices}>
      <legend>{text}</legend>
      {mail && <MailCount {...mail} />}
      {repeated && <RepeatedRows {...repeated} />}
      {existing && <ExistingRows existing={existing} />}
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

type Mail = NonNullable<Question['mail']>

/** How many emails the contracts of the file would send, and the first of them. */
function MailCount({ emails, customers, isAll, first }: Mail) {
  const [count, readers] = [counted(emails, 'emails'), counted(customers, 'customers')]
  return (
    <Box mb="xs">
      <Text size="sm" mb={4}>
        {isAll ? `${count} to ${readers}` : `At least ${count} to at least ${readers}`} in the next 90 days:
      </Text>
      <List size="sm">
        {first.map(({ customerName, day }, index) => (
          <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
            {customerName}, on {formatDay(day)}
          </List.Item>
        ))}
        {emails > first.length && <List.Item>and {formatCount(emails - first.length)} more</List.Item>}
      </List>
    </Box>
  )
}

/** How many rows are repeated, and the first of them. */
function RepeatedRows({ rows, first }: NonNullable<Question['repeated']>) {
  return (
    <Box mb="xs">
      <Text size="sm" mb={4}>
        {rows === 1 ? '1 row is' : `${formatCount(rows)} rows are`} the same as an earlier row:
      </Text>
      <List size="sm">
        {first.map(({ line, earlierLine, text }) => (
          <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
            Line {formatCount(line)}, same as line {formatCount(earlierLine)}: {text}
          </List.Item>
        ))}
        {rows > first.length && <List.Item>and {formatCount(rows - first.length)} more</List.Item>}
      </List>
    </Box>
  )
}

function Reason({ example, earlier, mail, existing }: Question) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {example &&
        `For example on line ${formatCount(example.line)}, in the column "${example.column}": ${example.value}`}
      {earlier && earlierText(earlier)}
      {mail && MUTING_NOTE}
      {existing && UPDATING_NOTE}
    </Text>
  )
}

type Earlier = NonNullable<Question['earlier']>

const MUTING_NOTE =
  'If you choose not to send them, none go out about the next renewal of any contract that this file adds, moves to another date, or causes other emails for. Later renewals are not affected.'
const UPDATING_NOTE = 'Blank cells leave a contract as it is. You can undo the import afterward.'

function earlierText({ createdAt, created, updated, failed, status, throughLine }: Earlier): string {
  const when = formatInstant(createdAt, browserTimeZone())
  const done = `${counted(created, 'rows')} created, ${updatedText(updated)}${formatCount(failed)} failed`
  const text = `Imported on ${when}: ${done}.`
  return status === 'interrupted' ? `${text} ${interruptedText(throughLine)}` : text
}
