import { SITE } from './content.ts'

export interface TextPageContent {
  title: string
  description: string
  lead: string
  sections: { title: string; paragraphs: string[] }[]
}

export const PRIVACY: TextPageContent = {
  title: 'Privacy',
  description: 'What TRAXX stores about you and your customers, who else handles it, and how to take or delete it.',
  lead: 'What we store, why, who else touches it, and how you get it back or get rid of it.',
  sections: [
    {
      title: 'What we store',
      paragraphs: [
        'About you: your name, your email address, your time zone, your settings, and whether your subscription is active.',
        'About your business: the customers and contracts you enter or import, the PDFs you attach, and a record of every reminder that was sent. This belongs to you. We use it to show it to you and to send the reminders you have asked for, and for nothing else.',
        'We do not store your card number or your password. Neither reaches our servers.',
      ],
    },
    {
      title: 'Who else handles it',
      paragraphs: [
        'Clerk keeps your sign-in details and checks who you are. Stripe takes your payments and keeps your payment details. A mail provider delivers our messages: reminders to you and your customers, and what you write to us. It tells us which of them arrived and which bounced. Each receives what it needs for that task.',
        'We sell nothing to anybody, show no advertising, and have no trackers on our pages. The only cookies are those that keep you signed in.',
      ],
    },
    {
      title: "Your customers' data",
      paragraphs: [
        'You decide whom you enter, and you are responsible for being allowed to. Reminders go to a customer only where notifications are enabled for that customer, and every one of those messages has a link that stops them.',
      ],
    },
    {
      title: 'When you write to us',
      paragraphs: [
        'The contact form asks for your name, your email address and your message, and mails them to us so that we can answer. TRAXX itself keeps no copy. For an hour it remembers the network address that a message came from, so that nobody can flood the form.',
      ],
    },
    {
      title: 'How long, and how to leave',
      paragraphs: [
        'We keep your data as long as you have an account. You can export all of it as one archive and delete your account yourself, both from your profile, or from the checkout page where you have no subscription. Deleting an account cancels its subscription at once and removes its customers, contracts, files, reminders, settings, API keys and sign-in.',
        'Three things stay. Stripe keeps the records of your payments, because the law requires them. And where the account has had its free trial, we keep a keyed hash of its email address, so that the same address does not get a second one; the address cannot be read from it. And where customers of yours unsubscribed, or complained, we keep keyed hashes of their addresses and yours, so that they are not written to again by a new account of the same owner.',
      ],
    },
    {
      title: 'Questions',
      paragraphs: [`Write to ${SITE.email}. You will get an answer from a person.`],
    },
  ],
}

export const TERMS: TextPageContent = {
  title: 'Terms',
  description: 'What you may expect of TRAXX, what it costs, how to cancel, and what we expect of you.',
  lead: 'What you may expect of us, what it costs, and what we expect of you.',
  sections: [
    {
      title: 'The service',
      paragraphs: [
        'TRAXX stores your customers and contracts, shows you what is due, and sends reminders before and after renewal dates. One account is for one person.',
        'We work to keep it running at all times, but we cannot promise that it never fails or that every message is delivered. The dates in your contracts remain your responsibility.',
      ],
    },
    {
      title: 'Trial and price',
      paragraphs: [
        'The first 14 days are free. After that TRAXX Pro costs $29 per month, charged in advance to the card you entered, until you cancel. There are no setup fees. Each customer has one trial.',
        'Prices may change. We tell you by email at least 30 days before, and you can cancel before a new price applies.',
      ],
    },
    {
      title: 'Cancelling and refunds',
      paragraphs: [
        'You can cancel at any time from your profile. You keep access until the end of the period that you have paid for; if you cancel during the trial, nothing is charged.',
        'If TRAXX is not for you, write to us within 14 days of your first payment and we return it in full.',
      ],
    },
    {
      title: 'When a payment fails',
      paragraphs: [
        'We try again, and nothing changes for 7 days. After that you can read and export everything, but not change it, until the payment is settled.',
      ],
    },
    {
      title: 'Fair use',
      paragraphs: [
        'Enter only what you are allowed to, send reminders only to people you do business with, and do not try to reach what belongs to other accounts. We may close an account that does, after a warning where that is possible.',
      ],
    },
    {
      title: 'Liability',
      paragraphs: [
        'Our liability is limited to what you have paid us in the twelve months before the damage, except where the law does not allow such a limit.',
      ],
    },
  ],
}
