import type { Letter } from '#server/mail/letter.ts'

export const REFUND_SUBJECT = 'Your payment has been refunded'

/** Tells an owner about the refund of the first payment; `amount` as in $29.00. */
export function refundLetter({ amount, publicUrl }: { amount: string; publicUrl: string }): Letter {
  return {
    sender: 'TRAXX',
    parts: [
      { text: 'Hello,' },
      {
        text: `We have refunded your payment of ${amount} to the card you paid with. Banks usually take 5 to 10 days to show it.`,
      },
      {
        text: 'Your subscription has been canceled, and you will not be charged again. You can still export your data for some time. This page says until when:',
      },
      { link: { label: 'Your data and account', url: `${publicUrl}/your-data` } },
      { text: 'We are sorry to see you go. If something was missing, please reply and tell us.' },
    ],
    note: 'You are receiving this email because you asked for your payment back.',
  }
}
