import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { formatCount } from '#client/text/format.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import type { Question } from './import-result.ts'
import classes from './mapping-step.module.css'

type Columns = NonNullable<Question['columns']>
type FileColumn = Columns['found'][number]

interface MappingStepProps {
  text: string
  columns: Columns
  /** Reads the headings from another line. */
  onHeadingLine: (line: number) => void
  /** The mapping as the upload takes it. */
  onReply: (mapping: string) => void
  onCancel: () => void
}

/** What each column of the file contains: its heading and first values, and the field that somebody chooses for it. */
export function MappingStep({ text, columns, onHeadingLine, onReply, onCancel }: MappingStepProps) {
  const { found, fields, needed, enough } = columns
  const { numbers, fieldOf, choose } = useChosenFields(found)
  const [line, setLine] = useState(columns.line)
  const [refusals, setRefusals] = useState(0)
  const missing = needed.filter((one) => !one.fields.some((field) => numbers.has(field)))
  const names = missing.map(({ label }) => label).join(', ')
  const updatesOnly = missing.length > 0 && enough !== null && numbers.has(enough)
  const stillNeeded = missing.length > 0 && !updatesOnly ? `Still needed: ${names}` : undefined
  const unfinished = line === columns.line ? stillNeeded : `Read the headings from line ${formatCount(line)} first`
  const reply = () => {
    if (unfinished !== undefined) {
      setRefusals(refusals + 1)
      return
    }
    onReply(JSON.stringify(Object.fromEntries(fields.map(({ field }) => [field, numbers.get(field) ?? null]))))
  }
  return (
    <Stack>
      <div>
        <Text fw={600}>{text}</Text>
        <Text size="sm" c="dimmed">
          Your choices are remembered for the next file with the same headings.
        </Text>
      </div>
      <HeadingLine lines={columns.lines} line={line} onChoose={setLine}>
        <Button
          variant="default"
          style={{ visibility: line === columns.line ? 'hidden' : undefined }}
          onClick={() => onHeadingLine(line)}
        >
          Read Headings from This Line
        </Button>
      </HeadingLine>
      <ul className={classes.columns} aria-label="Columns of the file">
        {found.map((column) => (
          <ColumnItem
            key={column.number}
            column={column}
            fields={fields}
            field={fieldOf(column)}
            onChoose={(field) => choose(column, field)}
          />
        ))}
      </ul>
      <DialogButtons>
        <Unfinished
          key={refusals}
          text={unfinished ?? (updatesOnly ? `Without ${names}, rows can only update contracts you have` : undefined)}
          isRefused={unfinished !== undefined && refusals > 0}
        />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={reply}>Continue</Button>
      </DialogButtons>
    </Stack>
  )
}

interface UnfinishedProps {
  text: string | undefined
  isRefused: boolean
}

/** What has to be done first. Above the button, since a phone may not show what is below it. Each refusal is announced. */
function Unfinished({ text, isRefused }: UnfinishedProps) {
  return (
    <div role={isRefused ? 'alert' : 'status'} data-refused={isRefused || undefined} className={classes.open}>
      {text}
    </div>
  )
}

interface HeadingLineProps extends Pick<Columns, 'line' | 'lines'> {
  onChoose: (line: number) => void
  /** The button that reads the headings again. */
  children: ReactNode
}

/** Corrects which line has the headings. */
function HeadingLine({ line, lines, onChoose, children }: HeadingLineProps) {
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Line with the headings"
        flex="1 1 14rem"
        rightSection={<CaretSortIcon aria-hidden />}
        data={lines.map((one) => ({ value: String(one.line), label: `${formatCount(one.line)}: ${one.text}` }))}
        value={String(line)}
        onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
      />
      {children}
    </Group>
  )
}

/** Each field has at most one column: choosing a field for a column clears it from the other. */
function useChosenFields(found: FileColumn[]) {
  const [numbers, setNumbers] = useState(
    () => new Map(found.flatMap(({ field, number }) => (field === null ? [] : [[field, number] as const]))),
  )
  const fieldOf = ({ number }: FileColumn) => [...numbers].find(([, one]) => one === number)?.[0]
  return {
    numbers,
    fieldOf,
    choose: (column: FileColumn, field: string | undefined) => {
      const others = [...numbers].filter(([, number]) => number !== column.number)
      setNumbers(new Map(field === undefined ? others : [...others, [field, column.number]]))
    },
  }
}

interface ColumnItemProps {
  column: FileColumn
  fields: Columns['fields']
  field: string | undefined
  onChoose: (field: string | undefined) => void
}

function ColumnItem({ column: { number, heading, samples }, fields, field, onChoose }: ColumnItemProps) {
  const name = heading || `Column ${number}`
  return (
    <li className={classes.column}>
      <div className={classes.values}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {samples.length > 0 ? samples.join(' · ') : 'No values'}
        </Text>
      </div>
      <FilterSelect
        label={`What ${name} contains`}
        options={fields.map((one) => ({ value: one.field, label: one.label }))}
        none="Do not import"
        value={field}
        onChoose={onChoose}
      />
    </li>
  )
}
