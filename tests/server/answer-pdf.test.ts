import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { SaveContractAnswers } from '#shared/schemas/answers.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { saveContractAnswers } from '#server/customer-answers/answer-settings.service.ts'
import { revokeLinks } from '#server/customer-answers/answers.service.ts'
import { attachPdf, removePdf } from '#server/files/files.service.ts'
import { renewContract } from '#server/contracts/renewals.service.ts'
import { removeContractForGood, restoreFromTrash } from '#server/trash/trash.service.ts'
import { aPdf } from '#support/pdf.ts'
import { useReminded, type Reminded } from '#support/reminded-customers.ts'

const { world, clock, server, aReminded, open } = useReminded()

const LABEL = 'Read the contract (PDF)'
const BYTES = aPdf()

/** A customer who has a link about a contract with a PDF. */
async function aContractWithPdf(account: boolean, own: boolean | null = null) {
  const reminded = await aReminded({}, { showsPdf: account })
  const { request, as, id } = reminded
  await attachPdf(request, { id }, Readable.from([BYTES]))
  const others = { hasLink: null, renewal: null, deadline: null, lateEnd: null }
  if (own !== null)
    await as((ctx) => saveContractAnswers(ctx, SaveContractAnswers.parse({ id, ...others, showsPdf: own })))
  return reminded
}

/** Whether the page leads to the PDF, and what its address answers. */
async function seen({ link }: Pick<Reminded, 'link'>) {
  const page = await open(link)
  const pdf = await open(`${link}/pdf`)
  const isLinked = page.body.includes(LABEL)
  expect(page.body.includes(`href="${link}/pdf"`)).toBe(isLinked)
  return { isLinked, status: pdf.statusCode, isFile: pdf.rawPayload.equals(BYTES) }
}

const SHOWN = { isLinked: true, status: 200, isFile: true }
const HIDDEN = { isLinked: false, status: 404, isFile: false }

describe('the PDF of the contract', () => {
  test.each([
    ['the account shows it', true, null, SHOWN],
    ['the account does not', false, null, HIDDEN],
    ['the contract shows it and the account does not', false, true, SHOWN],
    ['the account shows it and the contract does not', true, false, HIDDEN],
  ])('is read from the page or not, where %s', async (_what, account, own, expected) => {
    expect(await seen(await aContractWithPdf(account, own))).toEqual(expected)
  })

  test('is not shown during a trial, in which it could lead anywhere', async () => {
    const shown = await aContractWithPdf(true)
    expect(await seen(shown)).toEqual(SHOWN)
    await world.db.system.query(`update subscriptions set status = 'trialing', trial_end = $2 where account_id = $1`, [
      shown.request.caller?.id,
      new Date(clock.now.getTime() + 86_400_000),
    ])
    expect(await seen(shown)).toEqual(HIDDEN)
  })

  test('is sent as a file that no cache keeps and no search engine lists, named after the customer', async () => {
    const { link } = await aContractWithPdf(true)
    const { headers } = await open(`${link}/pdf`)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(BYTES.length),
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-disposition']).toMatch(/^inline; filename="Harbor/)
    expect((await server.app.inject({ method: 'HEAD', url: `${link}/pdf` })).statusCode).toBe(200)
  })

  test.each<[string, (reminded: Reminded) => Promise<unknown>]>([
    ['the link is withdrawn', ({ as, id }) => as((ctx) => revokeLinks(ctx, { id }))],
    ['the contract is in the trash', ({ as, id }) => as((ctx) => removeContract(ctx, { id }))],
    [
      'the contract was deleted for good',
      async ({ as, id }) => {
        await as((ctx) => removeContract(ctx, { id }))
        await as((ctx) => removeContractForGood(ctx, { id }))
      },
    ],
    ['the contract has been renewed', ({ as, id }) => as((ctx) => renewContract(ctx, { id }))],
    ['the PDF was deleted', ({ as, id }) => as((ctx) => removePdf(ctx, { id }))],
  ])('is not read where %s', async (_what, act) => {
    const reminded = await aContractWithPdf(true)
    await act(reminded)
    expect(await seen(reminded)).toEqual(HIDDEN)
  })

  test('is read again once the contract is restored from the trash', async () => {
    const reminded = await aContractWithPdf(true)
    const { as, id } = reminded
    await as((ctx) => removeContract(ctx, { id }))
    await as((ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
    expect(await seen(reminded)).toEqual(SHOWN)
  })

  test('of another contract is not read by this link', async () => {
    const [one, other] = [await aContractWithPdf(true), await aContractWithPdf(false)]
    const [, , seal = ''] = one.link.split('.')
    expect((await open(`${other.link.slice(0, -seal.length)}${seal}/pdf`)).statusCode).toBe(404)
  })
})
