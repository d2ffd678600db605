import { days } from '#client/text/contract-words.ts'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'

export type Settings = Outputs['reminders']['settings']
/** Those that are chosen on the settings screen. */
export type SettingsDraft = Omit<Settings, 'senderName' | 'replyTo' | 'timeZone' | 'ownerEmail'>
export type Message = Outputs['reminders']['coming']['rows'][number]
/** A message that something can be done with. */
export type MessageTarget = Omit<Message, 'obstacle'>
export type LedgerMessage = Outputs['reminders']['list']['rows'][number]
type Kind = Pick<LedgerMessage, 'kind' | 'offset'>
type Line = Pick<LedgerMessage, 'recipient' | 'contactName' | 'channel'>

export const STATES: Record<LedgerMessage['state'], { label: string; color: string }> = {
  planned: { label: 'Waiting', color: 'cobalt' },
  sending: { label: 'Sending', color: 'cobalt' },
  sent: { label: 'Sent', color: 'green' },
  delivered: { label: 'Delivered', color: 'green' },
  skipped: { label: 'Skipped', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
  bounced: { label: 'Bounced', color: 'red' },
}

/** What a message is, as in "14 days before renewal". */
export function occasionText({ kind, offset }: Kind): string {
  if (kind === 'manual') return 'Manual reminder'
  if (kind === 'confirmation') return 'Renewal confirmation'
  if (kind === 'answer') return "About the customer's answer"
  if (kind === 'reply') return 'Your decision about an answer'
  if (kind === 'notice' || kind === 'letter') return 'Notice of renewal'
  return kind === 'reminder' ? `${days(offset)} before renewal` : `${days(offset)} after renewal`
}

/** Whom it goes to and how, as in "Customer, by email"; a contact that is not the first is named. */
export function lineText({ recipient, contactName, channel }: Line): string {
  return `${recipient === 'customer' ? (contactName ?? 'Customer') : 'You'}, ${CHANNELS[channel]}`
}

const CHANNELS: Record<Line['channel'], string> = { email: 'by email', in_app: 'in the app', letter: 'by letter' }

type Stated = Pick<LedgerMessage, 'state' | 'kind' | 'delivery'>

/** What has become of a message, as a label and its color. */
export function stateOf({ state, kind, delivery }: Stated): { label: string; color: string } {
  if (kind !== 'letter') return STATES[state]
  return { ...STATES[state], label: delivery === 'in_person' ? 'Handed over' : 'Mailed' }
}

/** What a message waits for that could be sent otherwise, and until when. */
export function waitText({ waitsFor, waitsUntil }: Pick<LedgerMessage, 'waitsFor' | 'waitsUntil'>): string | null {
  if (!waitsFor || !waitsUntil) return null
  return `${waitsFor}. We will try again on ${formatInstant(waitsUntil, browserTimeZone())}`
}

/** An hour of the day, as in "8:00 AM". */
export function hourText(hour: number): string {
  return hours.format(new Date(Date.UTC(2000, 0, 1, hour)))
}

const hours = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' })
