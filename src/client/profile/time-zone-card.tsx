import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Alert, Button, Select, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { failureText } from '#client/failure-text.ts'
import { browserTimeZone, formatInstant } from '#client/format.ts'
import { trpc } from '#client/trpc.ts'
import { Card } from './card.tsx'
import { timeZoneChoices, zoneName } from './time-zones.ts'

/** What the server reckons with where no browser has told it. */
const UNTOLD = 'UTC'
const TICK_MS = 10_000

/** Where the account's days begin and end. */
export function TimeZoneCard() {
  const [account] = trpc.identity.account.useSuspenseQuery()
  const saving = useSaving()
  const current = saving.chosen ?? account.timeZone ?? UNTOLD
  const here = browserTimeZone()
  return (
    <Card title="Time zone">
      <Text c="dimmed">When your day begins: due dates, figures and the hour of your reminders follow it.</Text>
      <Select
        label="Time zone"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such time zone"
        // The list itself scrolls: it belongs to the field, which has the focus.
        withScrollArea={false}
        styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
        onFocus={(event) => event.currentTarget.select()}
        data={timeZoneChoices(current)}
        value={current}
        onChange={(timeZone) => timeZone && saving.save(timeZone)}
        description={<Clock timeZone={current} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Outcome {...saving} />
      {here !== current && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => saving.save(here)}>
          Use this device’s: {zoneName(here)}
        </Button>
      )}
    </Card>
  )
}

function Clock({ timeZone }: { timeZone: string }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return `It is now ${formatInstant(now, timeZone)} there`
}

function Outcome({ failure, saved }: Pick<ReturnType<typeof useSaving>, 'failure' | 'saved'>) {
  if (failure) {
    return (
      <Alert color="red" role="alert">
        {failure}
      </Alert>
    )
  }
  return saved ? (
    <Alert color="green" role="status">
      Saved: {zoneName(saved)}
    </Alert>
  ) : null
}

/** Shows the choice at once; where it cannot be saved, the earlier one again. */
function useSaving() {
  const utils = trpc.useUtils()
  const [chosen, setChosen] = useState<string>()
  const { mutate, error, isSuccess, variables } = trpc.identity.setTimeZone.useMutation({
    // Today may be another day from here on, whatever is on screen.
    onSuccess: () => utils.invalidate(),
    onSettled: () => setChosen(undefined),
  })
  return {
    chosen,
    saved: isSuccess ? variables.timeZone : undefined,
    failure: error ? failureText(error, { failed: 'Failed to save the time zone' }) : undefined,
    save: (timeZone: string) => {
      setChosen(timeZone)
      mutate({ timeZone })
    },
  }
}
