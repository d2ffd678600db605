import type { ProofPart } from '#shared/domain/proof-chain.ts'

/** When it happened, in UTC and as the account's clocks showed it. */
export function timePart(at: Date, timeZone: string): ProofPart {
  return {
    name: 'time',
    title: 'Time',
    facts: [
      ['UTC', at.toISOString().replace('T', ' ').replace('Z', '')],
      ['Local time', localText(at, timeZone)],
      ['Time zone', timeZone],
    ],
  }
}

const LONG = { dateStyle: 'long', timeStyle: 'long' } as const
/** Each takes longer to make than everything else about a record. There are some hundred time zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

function localText(at: Date, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...LONG, timeZone })
  formats.set(timeZone, format)
  // The space before AM and PM is not in the fonts of a PDF.
  return format.format(at).replaceAll('\u202f', ' ')
}
