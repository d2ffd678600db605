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

function localText(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone })
  // The space before AM and PM is not in the fonts of a PDF.
  return format.format(at).replaceAll('\u202f', ' ')
}
