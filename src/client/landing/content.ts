/** Every word of the front page, and every figure it claims. Change the copy here and nowhere else. */

export const SITE = {
  name: 'TRAXX',
  title: 'TRAXX: never miss a contract renewal again',
  description:
    'TRAXX keeps your customers, contracts and renewal dates in one place and sends the reminders for you. ' +
    '14 days free, then $29/month.',
  email: 'support@traxx.test',
}

export const CALLS = { signIn: 'Sign In', trial: 'Start Your Free Trial', dashboard: 'Go to Dashboard' }

export const HERO = {
  eyebrow: 'Contract renewals for small businesses',
  title: 'Never miss a contract renewal again.',
  text:
    'TRAXX knows every contract you have, when it renews and what it is worth, ' +
    'and reminds you and your customers in good time.',
  note: '14 days free, then $29/month. Cancel anytime.',
  picture:
    'The TRAXX dashboard: revenue, active contracts, renewals that are due, the revenue trend and contracts by status',
}

export const PROOF = {
  title: 'What customers say',
  rating: '4.9/5',
  reviews: 'from 200+ reviews',
  claims: ['Unlimited contracts and clients', '14-day money-back guarantee', 'No setup fees'],
}

export const PROBLEM = {
  figure: '$47,000',
  caption: 'is what forgotten renewals cost a business in an average year.',
  title: 'Revenue does not leave with a bang. It lapses.',
  points: [
    {
      title: 'The date was in a spreadsheet',
      text: 'Nobody opens it on the right day, and the one who kept it is on holiday.',
    },
    {
      title: 'The reminder was in a head',
      text: 'It works for ten contracts. It does not work for forty, on three different cycles.',
    },
    {
      title: 'The customer heard too late',
      text: 'A renewal that is mentioned a month ahead is a formality. A week after, it is a negotiation.',
    },
  ],
}

export const FEATURES = {
  title: 'Everything a renewal needs, and nothing else',
  text: 'Set up in an afternoon. No consultant, no training, no per-seat arithmetic.',
  cards: [
    {
      icon: 'bell',
      title: 'Automated renewal reminders',
      text: '30, 14 and 7 days before a renewal, by email and in the app. Follow-ups after it, if you want them.',
    },
    {
      icon: 'chart',
      title: 'Revenue analytics',
      text: 'Total and monthly revenue, growth, and what is at stake in the next 30 days, at a glance.',
    },
    {
      icon: 'people',
      title: 'One customer directory',
      text: 'Names, numbers and addresses beside the contracts they belong to. Search finds any of them.',
    },
    {
      icon: 'file',
      title: 'Contracts with their papers',
      text: 'Amount, cycle, renewal date and status, with the signed PDF attached to each contract.',
    },
    {
      icon: 'upload',
      title: 'Import from a spreadsheet',
      text: 'Bring all your customers and contracts over from a CSV or Excel file. There is a template to start from.',
    },
    {
      icon: 'download',
      title: 'Your data stays yours',
      text: 'Export everything you have in one archive, whenever you like and without asking anybody.',
    },
  ],
} as const

export const PRICING = {
  title: 'One plan. All of it.',
  text: 'Try everything for 14 days. If one renewal is saved, it has paid for itself.',
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

export const FOOTER = { text: 'Customer contracts and their renewals, kept in one place.' }

export const LEGAL_LINKS = [
  { href: '/privacy', label: 'Privacy' },
  { href: '/terms', label: 'Terms' },
  { href: '/contact', label: 'Contact' },
]

export const CONTACT = {
  title: 'Contact',
  description: 'How to reach the people behind TRAXX: help, billing, privacy and ideas.',
  lead: 'Write to us and a person answers, on working days usually within one.',
  mail: 'Or write to',
  topics: [
    {
      title: 'Help with TRAXX',
      text: 'Tell us what you did and what you expected. The name of the page and a screenshot save a round of questions.',
    },
    {
      title: 'Billing',
      text: 'Write from the address of your account. Please never send card numbers; invoices and cards are in your profile.',
    },
    {
      title: 'Privacy and your data',
      text: 'Export and deletion are in your profile. For anything beyond that, say what you need and we see to it.',
    },
    {
      title: 'Ideas',
      text: 'Tell us about the renewal that nearly got away. The best features began like that.',
    },
  ],
}
