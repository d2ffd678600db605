import { createHmac, timingSafeEqual } from 'node:crypto'

/** A link by which a customer answers. */
export interface LinkRef {
  accountId: number
  linkId: number
}

/** Of accounts and links. */
const LARGEST_ID = 2_147_483_647
const TOKEN = /^([1-9]\d{0,9})\.a([1-9]\d{0,9})\.([\w-]{43})$/

/** What the link's address ends with. It is the same in every email with this link, and only the server can make it. */
export function answerToken(key: string, { accountId, linkId }: LinkRef): string {
  return `${accountId}.a${linkId}.${hmac(key, `answer ${accountId} ${linkId}`)}`
}

/** The link that a token is for; undefined if nobody made it. Asks no database, so guessing costs next to nothing. */
export function linkOfToken(key: string, token: string): LinkRef | undefined {
  const [, account = '', link = '', seal = ''] = TOKEN.exec(token) ?? []
  const found = { accountId: Number(account), linkId: Number(link) }
  if (seal === '' || Math.max(found.accountId, found.linkId) > LARGEST_ID) return undefined
  return isSame(seal, hmac(key, `answer ${found.accountId} ${found.linkId}`)) ? found : undefined
}

const PAGE_TOKEN = /^(\d{1,15})\.([\w-]{43})$/
const PAGE_VALID_MS = 24 * 60 * 60_000

interface SealedPage {
  /** How many answers its term had had. */
  answers: number
  /** What it showed, as `shownText` has it. */
  shown: string
}

/**
 * What a page's form sends with an answer: it was shown to somebody who opened the link, at most a day ago, when the link
 * had taken so many answers, and it showed this. So nothing that only opens or posts to the link answers, no answer is
 * given twice, and none to what has become another question.
 */
export function pageToken(key: string, link: LinkRef, { now, ...page }: SealedPage & { now: Date }): string {
  const at = now.getTime()
  return `${at}.${pageSeal(key, link, { ...page, at })}`
}

/** When the page with this token was shown, if anybody made the token; undefined if it is none. */
export function shownAt(token: string): Date | undefined {
  const [, written] = PAGE_TOKEN.exec(token) ?? []
  return written === undefined ? undefined : new Date(Number(written))
}

/** Whether a page with this token was shown for the link as it is, and showed the same. */
export function isPageToken(
  key: string,
  link: LinkRef,
  { token, now, ...page }: SealedPage & { token: string; now: Date },
): boolean {
  const [, written = '', seal = ''] = PAGE_TOKEN.exec(token) ?? []
  const at = Number(written)
  const age = now.getTime() - at
  if (seal === '' || age < 0 || age > PAGE_VALID_MS) return false
  return isSame(seal, pageSeal(key, link, { ...page, at }))
}

function pageSeal(key: string, { accountId, linkId }: LinkRef, { answers, shown, at }: SealedPage & { at: number }) {
  return hmac(key, `answer page ${accountId} ${linkId} ${answers} ${at} ${shown}`)
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
