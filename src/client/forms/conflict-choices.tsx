import '@mantine/core/styles/Radio.layer.css'
import { Alert, Radio, Stack } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { EditConflict } from './edit-conflict.ts'

/** A field in which two edits can differ. */
export interface ConflictField<Values> {
  name: keyof Values
  label: string
  /** Fields that change with it. */
  along?: (keyof Values)[]
  /** How its values are shown; as they are unless given. */
  text?: (value: string) => string
}

interface ConflictChoicesProps<Values> {
  conflict: EditConflict<Values>
  fields: ConflictField<Values>[]
  values: Values
  /** Takes these fields from what was entered, or from the row as it is now. */
  onChoose: (changes: Partial<Values>) => void
}

/** The fields that somebody else has changed as well, each with both values to choose from. */
export function ConflictChoices<Values>({ conflict, fields, values, onChoose }: ConflictChoicesProps<Values>) {
  const { merged: mine, theirs } = conflict
  const alert = useRef<HTMLDivElement>(null)
  // On a phone it is below what is in sight.
  useEffect(() => alert.current?.querySelector<HTMLElement>('input:checked')?.focus(), [conflict])
  const shown = fields.filter(({ name }) => conflict.fields.includes(name))
  return (
    <Alert ref={alert} color="yellow" role="alert" title="Somebody else has changed this as well">
      <Stack gap="sm">
        <span>Choose what to keep, then save again.</span>
        {shown.map(({ name, label, along = [], text = String }) => {
          const choose = (from: Values) => {
            const changes: Partial<Values> = {}
            for (const one of [name, ...along]) changes[one] = from[one]
            onChoose(changes)
          }
          return (
            <Radio.Group
              key={String(name)}
              label={label}
              value={Object.is(values[name], theirs[name]) ? 'theirs' : 'mine'}
              onChange={(chosen) => choose(chosen === 'mine' ? mine : theirs)}
            >
              <Stack gap={4} mt={4}>
                <Radio value="mine" label={`Yours: ${valueText(mine[name], text)}`} />
                <Radio value="theirs" label={`Saved meanwhile: ${valueText(theirs[name], text)}`} />
              </Stack>
            </Radio.Group>
          )
        })}
      </Stack>
    </Alert>
  )
}

function valueText(value: unknown, text: (value: string) => string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' && value !== '' ? text(value) : 'empty'
}
