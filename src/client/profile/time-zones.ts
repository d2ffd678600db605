interface TimeZoneChoice {
  value: string
  label: string
}

/** Every time zone that the browser knows, and the one that is chosen already, by name. */
export function timeZoneChoices(current: string): TimeZoneChoice[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current])
  return [...names].toSorted().map((value) => ({ value, label: zoneName(value) }))
}

/** As people write it: "America/New York". */
export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ')
}
