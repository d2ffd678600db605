import { createHash } from 'node:crypto'
import type { CardBehaviour, Decline } from './object-types.ts'

export interface TestCard extends CardBehaviour {
  brand: string
}

const DECLINED = declined('generic_decline', 'Your card was declined.')
const NO_FUNDS = declined('insufficient_funds', 'Your card has insufficient funds.')
const EXPIRED: Decline = { code: 'expired_card', message: 'Your card has expired.' }
const WRONG_CVC: Decline = { code: 'incorrect_cvc', message: "Your card's security code is incorrect." }
const NOT_A_TEST_CARD = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test card. Please use one of the test cards.',
)

const CARDS = new Map<string, TestCard>([
  ['4242424242424242', works('visa')],
  ['5555555555554444', works('mastercard')],
  ['378282246310005', works('amex')],
  ['4000000000000002', refused(DECLINED)],
  ['4000000000009995', refused(NO_FUNDS)],
  ['4000000000000069', refused(EXPIRED)],
  ['4000000000000127', refused(WRONG_CVC)],
  ['4000000000000341', { brand: 'visa', onSave: null, onCharge: DECLINED }],
])

/** The ids that stand for a card in calls, as in Stripe's own test mode. */
const NUMBER_OF_TOKEN = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_amex', '378282246310005'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeCustomerFail', '4000000000000341'],
])

export function testCard(number: string): TestCard {
  return CARDS.get(number) ?? refused(NOT_A_TEST_CARD)
}

export function numberOfToken(token: string): string | undefined {
  return NUMBER_OF_TOKEN.get(token)
}

/** The same for the same number, and nothing from which to tell the number. */
export function fingerprintOf(number: string, salt: string): string {
  return createHash('sha256').update(`${salt}:${number}`).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 16)
}

function works(brand: string): TestCard {
  return { brand, onSave: null, onCharge: null }
}

function refused(decline: Decline): TestCard {
  return { brand: 'visa', onSave: decline, onCharge: decline }
}

function declined(declineCode: string, message: string): Decline {
  return { code: 'card_declined', declineCode, message }
}
