/**
 * Every word of the front page, and every figure it claims. Change the copy here and nowhere else. The server puts the
 * operator's settings in place of what stands between double underscores.
 */

export const SITE = {
  name: 'TRAXX',
  title: 'TRAXX: never miss a contract renewal again',
  description:
    'TRAXX keeps your customers, contracts, and renewal dates in one place and sends the reminders for you. ' +
    '14 days free, then $29/month.',
  email: '__CONTACT_MAIL__',
  /** For how many days data is kept after a subscription has ended. */
  keptDays: '__KEPT_DAYS__',
  /** How many customers and contracts an account can have, and how many emails it can send to customers in a day. */
  mostRecords: '__MOST_RECORDS__',
  mailsADay: '__MAILS_A_DAY__',
  mailsADayInTrial: '__MAILS_A_DAY_IN_TRIAL__',
}

export const CALLS = { signIn: 'Sign In', trial: 'Start Your Free Trial', dashboard: 'Go to Dashboard' }

export const HERO = {
  eyebrow: 'Contract renewals for small businesses',
  title: 'Never miss a contract renewal again.',
  text:
    'TRAXX keeps track of every contract, when it renews, and what it is worth, ' +
    'and reminds you and your customers in time.',
  note: '14 days free, then $29/month. Cancel anytime.',
  picture:
    'The TRAXX dashboard: revenue, active contracts, what is at stake in the next 30 days, and the contracts that need attention',
}

/** What a visitor can rely on. There are no ratings or customers' words here until there are real ones to quote. */
export const PROMISES = {
  title: 'TRAXX at a glance',
  claims: [
    'Unlimited contracts and clients',
    '14-day money-back guarantee',
    'No setup fees',
    'Export everything at any time',
  ],
}

export const PROBLEM = {
  figure: '$6,000',
  caption: 'a year is what you lose when one contract of $500 a month lapses. TRAXX Pro costs $348 a year.',
  title: 'Revenue rarely leaves with a bang. It lapses.',
  points: [
    {
      title: 'The date was in a spreadsheet',
      text: 'Nobody opened it on the right day, and the person who maintained it was on vacation.',
    },
    {
      title: "The reminder was in someone's head",
      text: 'That works for ten contracts. It does not work for forty, on three different billing cycles.',
    },
    {
      title: 'The customer heard too late',
      text: 'A month before, a renewal is a formality. A week after, it is a negotiation.',
    },
  ],
}

export const FEATURES = {
  title: 'Everything a renewal needs, and nothing else',
  text: 'Set it up in an afternoon. No consultants, no training, no per-seat pricing.',
  cards: [
    {
      icon: 'bell',
      title: 'Automated renewal reminders',
      text: '30, 14, and 7 days before a renewal and again the day before, by email and in the app. Follow-ups afterward, unless you turn them off.',
    },
    {
      icon: 'chart',
      title: 'Revenue analytics',
      text: 'Total and monthly revenue, growth, and what is at stake in the next 30 days, at a glance.',
    },
    {
      icon: 'people',
      title: 'One customer directory',
      text: 'Names, contacts, phone numbers, and addresses next to the contracts they belong to. Search finds any of them.',
    },
    {
      icon: 'file',
      title: 'Contracts and their documents',
      text: 'Amount, billing cycle, renewal date, and status, with the signed PDF attached to each contract.',
    },
    {
      icon: 'upload',
      title: 'Import from a spreadsheet',
      text: 'Bring in all your customers and contracts from a CSV or Excel file. A template gets you started.',
    },
    {
      icon: 'download',
      title: 'Your data stays yours',
      text: 'Export everything as one archive, whenever you like and without asking anyone.',
    },
  ],
} as const

export const RENEWALS = {
  title: 'It does not stop at the reminder',
  text: 'Remembering is half the work. TRAXX does the other half, too.',
  cards: [
    {
      icon: 'answer',
      title: 'Customers answer with one click',
      text: 'Every reminder has a button: renew, ask for a change, or do not renew. No account needed, and reminders stop once there is an answer.',
    },
    {
      icon: 'renew',
      title: 'Renewals are carried out',
      text: 'One click, many at once, or by themselves on the day, with the new price. Terms and prices of earlier years are kept, and a renewal can be undone.',
    },
    {
      icon: 'proof',
      title: 'Notice that you can prove',
      text: 'Where a law or a contract asks for notice in time, TRAXX sends it within those days. A signed certificate shows what was sent and when, and anybody can check it.',
    },
  ],
} as const

export const PRICING = {
  title: 'One plan. Everything included.',
  text: 'Try it all for 14 days. Save one renewal, and it has paid for itself.',
  plan: 'TRAXX Pro',
  price: '$29',
  period: '/month',
  trial: 'after a 14-day free trial',
  note: 'No setup fees. Cancel anytime.',
  features: [
    'Unlimited contracts and clients',
    'Automated renewal reminders',
    'Revenue analytics and dashboards',
    'Email notifications',
    'Data export',
    'Priority support',
    '14-day money-back guarantee',
  ],
}

export const QUESTIONS = {
  title: 'Questions',
  items: [
    {
      question: 'Do I need a card to start?',
      answer:
        'Yes. Stripe asks for a card when you start your trial and charges nothing for the first 14 days. ' +
        'If you cancel before then, you pay nothing.',
    },
    {
      question: 'Will TRAXX email my customers?',
      answer:
        "Yes, in your company's name, unless you turn it off for a customer. You can see what is coming up, skip or " +
        'postpone any message, and every message has an unsubscribe link.',
    },
    {
      question: 'Do my customers need an account to answer?',
      answer:
        'No. The button in the email opens a page about that one contract. You decide whether "Renew" takes effect at ' +
        'once or waits until you accept it.',
    },
    {
      question: 'Can I bring in the contracts I already have?',
      answer:
        'Yes, from a CSV or Excel file. TRAXX checks every row, tells you which ones need a correction, ' +
        'and lets you undo an import.',
    },
    {
      question: 'How do I cancel, and can I get my money back?',
      answer:
        'Cancel in your profile at any time. If TRAXX is not for you, write to us within 14 days of your first ' +
        'payment and we refund it in full.',
    },
    {
      question: 'What happens to my data if I leave?',
      answer:
        `You can export everything for ${SITE.keptDays} days after your subscription or trial ends. Then your account ` +
        'is deleted. We email you twice before that happens.',
    },
    {
      question: 'What does priority support mean?',
      answer:
        'Messages sent with our contact form from the email address of an account with a trial or a subscription are ' +
        'marked, and we answer them first, usually within one business day.',
    },
  ],
}

/** The sections of the front page and the pages that a visitor looks for. */
export const HEADER_LINKS = [
  { href: '/#pricing', label: 'Plan' },
  { href: '/#questions', label: 'Questions' },
  { href: '/verify', label: 'Verify a certificate' },
  { href: '/contact', label: 'Contact' },
]

export const FOOTER = { text: 'Customer contracts and their renewals, in one place.' }

export const FOOTER_LINKS = [
  { href: '/#pricing', label: 'Plan' },
  { href: '/#questions', label: 'Questions' },
  { href: '/help', label: 'Help' },
  { href: '/contact', label: 'Contact' },
  { href: '/privacy', label: 'Privacy' },
  { href: '/terms', label: 'Terms' },
]

export const CONTACT = {
  title: 'Contact',
  description: 'How to reach the people behind TRAXX: help, billing, privacy, and ideas.',
  lead: 'Write to us and a person will answer, usually within one business day. Accounts with a trial or a subscription come first.',
  mail: 'You can also email us at',
  topics: [
    {
      title: 'Help with TRAXX',
      text: 'Tell us what you did and what you expected to happen. The name of the page and a screenshot help us answer faster.',
    },
    {
      title: 'Billing and refunds',
      text: 'Use the email address of your account, and never send card numbers. Invoices and cards are in your profile. To get your first payment back, write to us within 14 days of it.',
    },
    {
      title: 'Privacy and your data',
      text: 'You can export your data and delete your account in your profile. For anything else, tell us what you need.',
    },
    {
      title: 'Ideas',
      text: 'Tell us about the renewal that nearly got away, and what would have caught it.',
    },
  ],
}
