import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Button, Select, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { foldText } from '#shared/domain/fold-text.ts'
import { failureText } from '#client/api/failure-text.ts'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { Card } from '#client/ui/cards/card.tsx'
import { DEFAULT_TIME_ZONE } from '#client/api/use-account-today.ts'

const TICK_MS = 10_000

/** Where the account's days begin and end. */
export function TimeZoneCard() {
  const [account] = trpc.identity.account.useSuspenseQuery()
  const saving = useSaving()
  const current = saving.chosen ?? account.timeZone ?? DEFAULT_TIME_ZONE
  const here = browserTimeZone()
  return (
    <Card title="Time zone">
      <Text c="dimmed">Decides which day is today, for renewal dates and figures, and when reminders go out.</Text>
      <Select
        label="Time zone"
        maw={440}
        searchable
        selectFirstOptionOnChange
        filter={({ options, search }) => options.filter((choice) => 'label' in choice && isFound(choice.label, search))}
        allowDeselect={false}
        nothingFoundMessage="No matching time zone"
        // The list needs no tab stop: the focused field scrolls it.
        withScrollArea={false}
        styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
        onFocus={(event) => event.currentTarget.select()}
        data={timeZoneChoices(current)}
        value={current}
        onChange={(timeZone) => timeZone && saving.save(timeZone)}
        description={<Clock timeZone={current} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      {here !== current && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => saving.save(here)}>
          Use This Device's: {zoneName(here)}
        </Button>
      )}
    </Card>
  )
}

function isFound(name: string, search: string): boolean {
  return foldText(name).includes(foldText(search.trim()))
}

function Clock({ timeZone }: { timeZone: string }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return `It is now ${formatInstant(now, timeZone)} there`
}

/** Shows the choice immediately; if it cannot be saved, the old one returns. */
function useSaving() {
  const utils = trpc.useUtils()
  const [chosen, setChosen] = useState<string>()
  const { mutate } = trpc.identity.setTimeZone.useMutation({
    // Today may have changed, so everything is refetched.
    onSuccess: (_saved, { timeZone }) => {
      toastSuccess(`Saved: ${zoneName(timeZone)}`)
      return utils.invalidate()
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to save the time zone' })),
    onSettled: () => setChosen(undefined),
  })
  return {
    chosen,
    save: (timeZone: string) => {
      setChosen(timeZone)
      mutate({ timeZone })
    },
  }
}

interface TimeZoneChoice {
  value: string
  label: string
}

/** Every time zone that the browser knows, and the one that is chosen already, by name. */
function timeZoneChoices(current: string): TimeZoneChoice[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current])
  return [...names].toSorted().map((value) => ({ value, label: zoneName(value) }))
}

/** As people write it: "America/New York". */
function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ')
}
