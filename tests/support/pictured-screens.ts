import type { Page } from '@playwright/test'
import { PROTECTED } from '#support/screens.ts'

/** A screen or a state of one, of which pictures are taken. */
export interface PicturedScreen {
  /** Also the name of its files. */
  name: string
  path: string
  /** What has to be seen in its pictures. */
  shows: string
  /** What leads from the screen to the state. */
  act?: (page: Page) => Promise<unknown>
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** What anybody sees. */
export const PUBLIC: PicturedScreen[] = [
  {
    name: 'landing',
    path: '/',
    shows: 'what TRAXX does, what it costs, a picture of the dashboard as it is now, and questions',
  },
  { name: 'help', path: '/help', shows: 'answers, and a way to ask' },
  { name: 'contact', path: '/contact', shows: 'a short form' },
  { name: 'terms', path: '/terms', shows: 'a text that is easy to read' },
  { name: 'privacy', path: '/privacy', shows: 'a text that is easy to read' },
  { name: 'sign-in', path: '/sign-in', shows: 'email, password and a way back in for who has forgotten it' },
  { name: 'reset-password', path: '/sign-in/reset-password', shows: 'where the code will be sent' },
  {
    name: 'checkout',
    path: '/checkout',
    shows: 'the plan, its price, and how to start or sign in',
  },
  { name: 'account-deleted', path: '/account-deleted', shows: 'that the account is gone, and where to go on' },
  { name: 'not-found', path: '/no/such/page', shows: 'that there is no such page, and where to go on' },
  { name: 'unsubscribe', path: '/unsubscribe/x', shows: 'that the link is of no use any more' },
  { name: 'answer-unknown', path: '/answer/x', shows: 'that the link is of no use any more' },
  { name: 'verify', path: '/verify', shows: 'where to choose a certificate, and what that proves and does not' },
  { name: 'checkout-success', path: '/checkout/success', shows: 'where to sign in' },
]

const SHOWS: Record<string, string> = {
  '/dashboard': 'eight figures, then the contracts that need something, then charts with legends',
  '/contracts': 'figures, quick filters in one line, and dense rows in which overdue and expiring contracts stand out',
  '/contracts/1':
    'the contract with its status and next date, what can be done with it, its PDF, contacts, notes and history',
  '/customers': 'figures, and dense rows with email, phone and address',
  '/customers/1': 'the customer with the next date, contacts, contracts, messages, notes and history',
  '/calendar': 'the month with its renewals, and today marked',
  '/reminders': 'who gets what and when, with buttons that say what they do',
  '/answers': 'that nobody has answered yet',
  '/notices': 'that no notices are due, and where rules are made',
  '/notifications': 'notifications with badges, the newest first',
  '/notifications/settings': 'which reminders go out, when and to whom',
  '/notifications/texts': 'the text of each email, beside how it looks',
  '/company': 'name and reply address of the company',
  '/tags': 'tags, with how many have each',
  '/trash': 'what was deleted, or that nothing was',
  '/profile': 'the person, the subscription, API keys, and the data of the account',
  '/profile/security': 'password, second step and sessions',
  '/test-auth': 'that the session is accepted, and what is answered',
}

/** What the owner of the demo account sees. */
export const FILLED: PicturedScreen[] = [
  ...Object.keys(PROTECTED).map((path) => ({ name: path.slice(1).replaceAll('/', '-'), path, shows: showsOf(path) })),
  {
    name: 'reminders-past',
    path: '/reminders',
    shows: 'what became of each message, and why',
    act: async (page) => {
      await press(/^Skip: /)(page)
      await page.getByRole('tab', { name: 'Last 90 days' }).click()
      await page.getByRole('row').filter({ hasText: 'Skipped' }).waitFor()
    },
  },
  {
    name: 'contracts-none-found',
    path: '/contracts?search=zzz',
    shows: 'that nothing matches, and how to see all again',
  },
  {
    name: 'contracts-more-filters',
    path: '/contracts?overdue=true&noPdf=true',
    shows: 'all filters, and which of them are set',
  },
  {
    name: 'contracts-selected',
    path: '/contracts',
    shows: 'how many are selected, and what can be done with them',
    act: (page) => page.getByRole('checkbox').nth(1).click(),
  },
  {
    name: 'change-prices',
    path: '/contracts',
    shows: 'how prices change, and what comes of it',
    act: async (page) => {
      await page.getByRole('checkbox').nth(1).click()
      await press('Change Price')(page)
    },
  },
  { name: 'contracts-columns', path: '/contracts', shows: 'the columns, in order', act: press('Columns') },
  { name: 'add-contract', path: '/contracts', shows: 'a form whose first field is ready', act: press('Add Contract') },
  { name: 'add-customer', path: '/customers', shows: 'a form whose first field is ready', act: press('Add Customer') },
  { name: 'import-contracts', path: '/contracts', shows: 'where to drop a file', act: press(/^Bulk Upload/) },
  {
    name: 'import-columns',
    path: '/customers',
    shows: 'the columns of the file with their first values, and what each contains',
    act: async (page) => {
      await press(/^Bulk Upload/)(page)
      const buffer = Buffer.from('Wer,Wo,Notiz\nHarbor Bakery,1 Mill Lane,Since 2019\nQuarry,2 Mill Lane,')
      const file = { name: 'customers.csv', mimeType: 'text/csv', buffer }
      await page.getByLabel('File to upload').setInputFiles(file)
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await page.getByRole('button', { name: 'Continue' }).waitFor()
    },
  },
  { name: 'calendar-year', path: `/calendar?year=${new Date().getFullYear()}`, shows: 'twelve months with their sums' },
  { name: 'end-contract', path: '/dashboard', shows: 'when and why it ends', act: press(/^Not Renewing: /) },
  { name: 'snooze', path: '/reminders', shows: 'until when the message can wait', act: press(/^Snooze: /) },
  { name: 'api-key', path: '/profile', shows: 'what the key can do, and until when', act: press('Create Key') },
  { name: 'delete-account', path: '/profile', shows: 'what is deleted and kept', act: press('Delete Account') },
  { name: 'shortcuts', path: '/company', shows: 'each key with what it does', act: (page) => page.keyboard.press('?') },
  { name: 'renew', path: '/dashboard', shows: 'what renewing would change', act: press(/^Renew: /) },
  {
    name: 'reminder-preview',
    path: '/dashboard',
    shows: 'the email as the customer gets it',
    act: press(/^Preview the reminder/),
  },
  { name: 'bell', path: '/company', shows: 'the latest notifications', act: press(/^Notifications/) },
  { name: 'profile-menu', path: '/company', shows: 'the person, and the way out', act: press('Profile menu') },
  {
    name: 'palette',
    path: '/company',
    shows: 'screens and acts, of which the first is marked',
    act: (page) => page.keyboard.press('Control+k'),
  },
]

/** What somebody sees who has just begun. */
export const EMPTY: PicturedScreen[] = [
  { name: 'empty-dashboard', path: '/dashboard', shows: 'three first steps, and sample data to look around' },
  { name: 'empty-customers', path: '/customers', shows: 'that there are none, and how to add one' },
  { name: 'empty-contracts', path: '/contracts', shows: 'that there are none, and how to add one' },
  { name: 'empty-reminders', path: '/reminders', shows: 'that nothing comes up, and why' },
  { name: 'empty-notifications', path: '/notifications', shows: 'that there are none' },
  { name: 'empty-trash', path: '/trash', shows: 'that nothing was deleted' },
]

/** What somebody sees who has not subscribed. */
export const UNSUBSCRIBED: PicturedScreen[] = [
  { name: 'checkout-signed-in', path: '/checkout', shows: 'the plan before payment, and the way out' },
  { name: 'your-data', path: '/your-data', shows: 'how to delete the account, and what can be exported' },
]

/** What somebody sees whose customers have answered, and must be given notice. */
export const ANSWERED: PicturedScreen[] = [
  { name: 'answers-waiting', path: '/answers', shows: 'what customers answered, and what can be done about it' },
  { name: 'answers-accept', path: '/answers', shows: 'what will be agreed', act: press(/^Accept/) },
  { name: 'answers-decline', path: '/answers', shows: 'what the customer will be told', act: press(/^Decline/) },
  { name: 'notices-due', path: '/notices', shows: 'until when notice must be given, to whom, and for how much' },
  {
    name: 'notices-mailed',
    path: '/notices',
    shows: 'on which day the letter was mailed',
    act: press(/^Mark as Mailed/),
  },
  {
    name: 'notice-rules',
    path: '/notifications/settings',
    shows: 'the rules, and where each holds',
    act: (page) => page.getByRole('region', { name: 'Notice Rules' }).scrollIntoViewIfNeeded(),
  },
  { name: 'notice-rule', path: '/notifications/settings', shows: 'what a rule says', act: press('Add Rule') },
  {
    name: 'notice-laws',
    path: '/notifications/settings',
    shows: 'laws, with where and when they were read',
    act: press('Add From a Law'),
  },
]

/** What the customer sees who follows the link of a reminder. */
export function answerScreens(link: string): PicturedScreen[] {
  return [
    { name: 'answer', path: link, shows: 'what renews, when and for how much, and three answers' },
    { name: 'answer-renew', path: `${link}/renew`, shows: 'the question once more, in words' },
    { name: 'answer-change', path: `${link}/change`, shows: 'where to say what should change' },
    { name: 'answer-end', path: `${link}/end`, shows: 'reasons, and the question once more' },
  ]
}

/** What an operator sees. */
export const OPERATED: PicturedScreen[] = [
  { name: 'operator', path: '/operator', shows: 'how the jobs stand, and where to look up an account' },
  { name: 'operator-account', path: '/operator/accounts/1', shows: 'an account, and how to suspend it' },
]

/** What somebody sees whose last payment failed a week ago. */
export const READ_ONLY: PicturedScreen[] = [
  {
    name: 'read-only-dashboard',
    path: '/dashboard',
    shows: 'why nothing can be changed, and a way to update the card',
  },
  { name: 'read-only-company', path: '/company', shows: 'fields that cannot be changed, and why' },
]

function showsOf(path: string): string {
  const shows = SHOWS[path]
  if (shows === undefined) throw new Error(`Say in pictured-screens.ts what the pictures of ${path} have to show`)
  return shows
}
