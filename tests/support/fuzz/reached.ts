import type { Answer } from './call.ts'
import type { Callable } from './hostile-calls.ts'

/** What makes the plain call of each possible. */
export const EARLIER: Record<string, string> = {
  'GET /logos/:name': 'POST /account/company/logo',
  'DELETE /account/company/logo': 'POST /account/company/logo',
  'company.removeLogo': 'POST /account/company/logo',
  'GET /contracts/:id/pdf': 'POST /contracts/:id/pdf',
  'DELETE /contracts/:id/pdf': 'POST /contracts/:id/pdf',
  'POST /contracts/:id/pdf/restore': 'DELETE /contracts/:id/pdf',
  'contracts.restorePdf': 'DELETE /contracts/:id/pdf',
  'GET /unsubscribe/:token/undo': 'POST /unsubscribe/:token',
  'POST /unsubscribe/:token/undo': 'POST /unsubscribe/:token',
  'POST /reminders/undo-skip': 'POST /reminders/skip',
  'reminders.undoSkip': 'reminders.skip',
  'reminders.undoPlannedNow': 'reminders.planNow',
  'contracts.undoReminder': 'contracts.planReminder',
  'POST /contracts/:id/reopen': 'POST /contracts/:id/end',
  'POST /contracts/:id/undo': 'POST /contracts/:id/end',
  'contracts.reopen': 'contracts.end',
  'contracts.undo': 'contracts.end',
  'DELETE /contracts/:id/notice-letter': 'POST /contracts/:id/notice-letter',
  'notices.unpost': 'notices.post',
}

const STRIPE = 'Stripe does not answer'
const CLERK = 'Clerk does not answer'
const CODE = 'its code is in an email'
const UNPROVED = 'nothing of it was sent, so nothing is proved'
const NO_PDF = 'customers may not read a PDF'
const USED = 'its account has contracts'
const LEFT = 'no account would be left for the others'

/** What cannot succeed while it is fuzzed, and why. */
const EXCEPTIONS: Record<string, string> = {
  'REST POST /stripe/create-checkout-session': STRIPE,
  'REST POST /stripe/create-portal-session': STRIPE,
  'tRPC billing.startCheckout': STRIPE,
  'tRPC billing.openPortal': STRIPE,
  'tRPC identity.refresh': CLERK,
  'tRPC identity.sessions': CLERK,
  'tRPC identity.endSession': CLERK,
  'tRPC identity.signOutOthers': CLERK,
  'REST POST /account/company/reply-to/confirm': CODE,
  'tRPC company.confirmReplyTo': CODE,
  'REST GET /reminders/:id/certificate': UNPROVED,
  'REST GET /answers/:id/certificate': UNPROVED,
  'REST GET /answer/:token/pdf': NO_PDF,
  'REST POST /imports/archive': USED,
  'REST DELETE /account': LEFT,
  'tRPC identity.deleteAccount': LEFT,
}

export function nameOf({ transport, name }: Callable): string {
  return `${transport} ${name}`
}

const LONGEST_ANSWER = 300

/** What was never answered with success though nothing says why, and what is said of it is not so. */
export function unreached(all: Callable[], { best }: { best: Map<string, Answer> }): string[] {
  // HEAD is answered by what answers GET.
  const names = [...new Set(all.map(nameOf))].filter((name) => !name.startsWith('REST HEAD '))
  const refusals = new Map([...best].filter(([, { status }]) => status >= 400))
  const refused = names.filter((name) => refusals.has(name))
  const known = Object.keys(EXCEPTIONS)
  return [
    ...refused
      .filter((name) => !known.includes(name))
      .map((name) => `${name}: never better than ${shown(refusals.get(name))}`),
    ...known.filter((name) => !refused.includes(name)).map((name) => `${name}: no exception any more`),
  ]
}

function shown({ status, text }: Pick<Answer, 'status' | 'text'> = { status: 0, text: '' }): string {
  return `${status} ${text.slice(0, LONGEST_ANSWER)}`
}
