import { answerDeadline, lastDayToDecline, type AnswerChoice } from '#shared/domain/customer-answer.ts'
import type { Renews } from '#shared/domain/renews.ts'
import { shownPdf, type AnswerPage, type OpenedPage } from '#server/customer-answers/answer-shown.ts'
import type { AnswerRow } from '#server/customer-answers/answer.rows.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'
import { amountText, dateText, priceText } from '#server/mail/formats.ts'
import { fieldsHtml, type Entered } from './answer-fields.ts'
import type { AnswerObstacle } from '#server/customer-answers/answered-contract.ts'
import { isOutdated, obstacleHtml } from './answer-obstacles.ts'

// The pages on which a customer reads what a contract offers, and answers. They are HTML without scripts.

export interface ShownPage {
  title: string
  main: string
}

const NOTHING: Entered = { values: {}, wrong: {} }

const DATE_LABELS: Record<Renews, string> = {
  automatic: 'Renews automatically on',
  by_agreement: 'Due for renewal on',
  never: 'Ends on',
}
const LABELS: Record<AnswerChoice, string> = {
  renew: 'Renew',
  change: 'Ask for a change',
  end: 'Do not renew',
}

/** What the contract offers, with the answer that was given or the three that can be. */
export function overviewPage(token: string, page: AnswerPage, notice?: string): ShownPage {
  const title = titleOf(page)
  const { answer, obstacle, canChange } = page
  const parts = [
    notice ? `<p role="alert" class="notice">${escapeHtml(notice)}</p>` : '',
    answer ? answeredHtml(page, answer) : '',
    isHidden(page) ? '' : detailsHtml(token, page),
    declinedHtml(page),
    obstacleHtml(page, senderOf(page)),
    answer || obstacle ? '' : choicesHtml(token, page, 'Your answer'),
    canChange ? choicesHtml(token, page, 'Change your answer') : '',
    footerHtml(page),
  ]
  return { title, main: `<h1>${escapeHtml(title)}</h1>${parts.join('')}` }
}

/** One answer in words, to be confirmed. One that was not taken also shows what it is about, which may have changed. */
export function choicePage(
  token: string,
  page: OpenedPage,
  { choice, entered = NOTHING }: { choice: AnswerChoice; entered?: Entered },
): ShownPage {
  const title = QUESTIONS[choice](page)
  const action = `/answer/${escapeHtml(token)}`
  const isWrong = Object.keys(entered.wrong).length > 0
  const details = entered.wrong['page'] === undefined ? '' : detailsHtml(token, page)
  const main = `<h1>${escapeHtml(title)}</h1>
${CONSEQUENCES[choice](page)
  .map((text) => `<p>${escapeHtml(text)}</p>`)
  .join('')}
${isWrong ? `<p role="alert" class="notice">${escapeHtml(entered.wrong['page'] ?? 'Please check what you entered.')}</p>` : ''}
${details}
<form method="post" action="${action}">
<input type="hidden" name="choice" value="${choice}"><input type="hidden" name="page" value="${escapeHtml(page.pageToken)}">
${fieldsHtml(choice, page.linked, entered)}
<div class="buttons"><button>${escapeHtml(buttonOf(page, choice))}</button><a href="${action}">Back</a></div>
</form>`
  return { title, main }
}

/** Whoever has a link that was withdrawn, or that was another customer's, sees nothing of the contract. */
function isHidden({ obstacle, linked: { contract, offer } }: AnswerPage): boolean {
  return obstacle === 'revoked' || contract.customerId !== offer.customerId
}

function titleOf({ linked: { contract, company }, obstacle, answer }: AnswerPage): string {
  const title = obstacle && !answer ? null : contract.title
  return title ?? `Your contract with ${company.name ?? 'us'}`
}

function senderOf({ linked: { company } }: AnswerPage): string {
  return company.name ?? 'the sender'
}

function detailsHtml(token: string, page: AnswerPage): string {
  const { linked, contract, next } = page
  const { renewalDate, renews } = contract
  const now = priceText(contract)
  const then = priceText(next)
  const decline = lastDayToDecline(contract)
  const isOver = page.answer?.agreed !== undefined && page.answer.agreed !== null && !page.canChange
  const about: Row[] = [
    ['From', senderOf(page)],
    ['To', linked.contract.customerName],
    ...rowIf('Reference', page.obstacle ? null : linked.contract.reference),
  ]
  const offered: Row[] = [
    ['Now', now],
    [DATE_LABELS[renews], dateText(renewalDate)],
    ['Next term', `${dateText(next.startDate)} to ${dateText(next.renewalDate)}`],
    ['Price of the next term', now === then ? `${then} (no change)` : `${then} (now ${now})`],
    ...rowIf('Last day to say no', decline && dateText(decline)),
  ]
  const list = (isOver ? about : [...about, ...offered]).map(rowHtml)
  const hasPdf = shownPdf(page) !== null
  return `<dl>${list.join('')}</dl>${hasPdf ? `<p><a href="/answer/${escapeHtml(token)}/pdf">Read the contract (PDF)</a></p>` : ''}`
}

type Row = [label: string, value: string]

function rowIf(label: string, value: string | null): Row[] {
  return value === null ? [] : [[label, value]]
}

function rowHtml([label, value]: Row): string {
  return `<div><dt>${escapeHtml(label)}</dt><dd class="words">${escapeHtml(value)}</dd></div>`
}

function choicesHtml(token: string, page: AnswerPage, heading: string): string {
  const deadline = answerDeadline(page.contract, page.linked.preferences)
  const until = deadline === null ? '' : `<p class="dim">You can answer until ${escapeHtml(dateText(deadline))}.</p>`
  const options = CHOICES.map((choice) => optionHtml(token, page, choice))
  return `<h2>${heading}</h2>${until}<ul class="choices">${options.join('')}</ul>`
}

const CHOICES: AnswerChoice[] = ['renew', 'change', 'end']

function optionHtml(token: string, page: AnswerPage, choice: AnswerChoice): string {
  if (page.effects[choice] === 'too_late') {
    return `<li><strong>${LABELS[choice]}</strong><span class="dim">The last day to say no has passed. Please contact ${escapeHtml(senderOf(page))}.</span></li>`
  }
  const quiet = choice === 'renew' ? '' : ' quiet'
  return `<li><a class="button${quiet}" href="/answer/${escapeHtml(token)}/${choice}">${LABELS[choice]}</a><span class="dim">${escapeHtml(HINTS[choice](page))}</span></li>`
}

const HINTS: Record<AnswerChoice, (page: AnswerPage) => string> = {
  renew: (page) =>
    page.effects.renew === 'at_once'
      ? `The contract continues until ${dateText(page.next.renewalDate)}.`
      : `${senderOf(page)} will confirm it.`,
  change: (page) => `Another price, another date, or something else. ${senderOf(page)} will answer you.`,
  end: (page) =>
    page.effects.end === 'at_once'
      ? `The contract ends on ${dateText(page.endDay)}.`
      : `The last day to say no has passed. ${senderOf(page)} will decide.`,
}

const QUESTIONS: Record<AnswerChoice, (page: AnswerPage) => string> = {
  renew: (page) => `Renew until ${dateText(page.next.renewalDate)}?`,
  change: () => 'What should change?',
  end: (page) =>
    page.effects.end === 'at_once' ? `End the contract on ${dateText(page.endDay)}?` : 'Ask to end the contract?',
}

const CONSEQUENCES: Record<AnswerChoice, (page: AnswerPage) => string[]> = {
  renew: (page) => [
    `${about(page)} is renewed from ${dateText(page.next.startDate)} until ${dateText(page.next.renewalDate)} for ${priceText(page.next)}.`,
    page.effects.renew === 'at_once'
      ? 'This takes effect at once. You will get an email that confirms it.'
      : `We will tell ${senderOf(page)}, who will confirm it. You will get an email.`,
  ],
  change: (page) => [
    `${about(page)} stays as it is until ${senderOf(page)} has answered. You will get an email.`,
    'Fill in what applies.',
  ],
  end: (page) => [
    page.effects.end === 'at_once'
      ? `${about(page)} is not renewed and ends on ${dateText(page.endDay)}. You will get an email that confirms it.`
      : `The last day to say no was ${dateText(lastDayToDecline(page.contract) ?? page.contract.renewalDate)}. We will tell ${senderOf(page)}, who will decide whether the contract can still end. Until then, it stays as it is.`,
  ],
}

function about({ linked: { contract, company } }: AnswerPage): string {
  const sender = company.name ?? 'the sender'
  return contract.title === null ? `Your contract with ${sender}` : `"${contract.title}" with ${sender}`
}

function buttonOf(page: AnswerPage, choice: AnswerChoice): string {
  if (choice === 'change') return `Send to ${senderOf(page)}`
  if (choice === 'renew') return page.effects.renew === 'at_once' ? 'Yes, renew' : 'Yes, I want to renew'
  return page.effects.end === 'at_once' ? 'Yes, end the contract' : 'Yes, ask to end it'
}

/** What was answered, and what became of it. */
function answeredHtml(page: AnswerPage, answer: AnswerRow): string {
  const { linked } = page
  const clock = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: linked.timeZone,
  })
  const rows: Row[] = [
    ['Your answer', LABELS[answer.choice]],
    ['Answered', `${clock.format(answer.answeredAt)} (${linked.timeZone})`],
    ...rowIf('Amount you would like', answer.wishedAmountCents === null ? null : amountText(answer.wishedAmountCents)),
    ...rowIf('Next renewal date you would like', answer.wishedDate && dateText(answer.wishedDate)),
    ...rowIf('Reason', answer.reason),
    ...rowIf('Message', answer.words),
    ...rowIf(`${senderOf(page)} wrote`, answer.reply),
  ]
  const list = rows.map(rowHtml)
  const change = page.canChange ? '<p class="dim">You can change your answer once, within an hour.</p>' : ''
  return `<p role="status" class="done">${escapeHtml(outcomeOf(page, answer))}</p><dl>${list.join('')}</dl>${change}`
}

/** What has become of the contract while an answer waited. */
const DECIDED_OTHERWISE: ReadonlySet<AnswerObstacle> = new Set(['renewed', 'closed', 'ending'])

function outcomeOf(page: AnswerPage, { agreed, state }: AnswerRow): string {
  const sender = senderOf(page)
  if (agreed && 'endsOn' in agreed)
    return `Thank you. The contract ends on ${dateText(agreed.endsOn)} and is not renewed.`
  if (agreed) {
    return `Thank you. The contract is renewed until ${dateText(agreed.renewalDate)} for ${priceText(agreed)}.`
  }
  if (isOutdated(page)) return `Thank you. ${sender} has been told.`
  if (state === 'waiting' && page.obstacle && DECIDED_OTHERWISE.has(page.obstacle))
    return `Thank you. ${sender} has been told. The contract has changed since you answered: if you have a question, please contact ${sender}.`
  return `Thank you. ${sender} has been told, and will answer you by email. Until then, nothing changes.`
}

/** The last answer, if it was declined: another one can be given. */
function declinedHtml({ answer, linked, obstacle }: AnswerPage): string {
  const [newest] = linked.given
  if (answer || obstacle || newest?.state !== 'declined') return ''
  const sender = linked.company.name ?? 'The sender'
  const reply = newest.reply === null ? '' : `<blockquote>${escapeHtml(newest.reply)}</blockquote>`
  return `<p class="notice">${escapeHtml(sender)} has declined your last answer (${LABELS[newest.choice].toLowerCase()}). You can answer again.</p>${reply}`
}

function footerHtml(page: AnswerPage): string {
  const { postalAddress } = page.linked.company
  const address = postalAddress ? `<br>${escapeHtml(postalAddress).replaceAll('\n', ', ')}` : ''
  return `<footer>This page was made by TRAXX on behalf of ${escapeHtml(senderOf(page))}. Only you have its link: please do not pass it on.${address}</footer>`
}
