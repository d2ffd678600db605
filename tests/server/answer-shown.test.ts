import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ANSWERS, type AnswerChoice } from '#shared/domain/customer-answer.ts'
import { SaveContractAnswers } from '#shared/schemas/answers.ts'
import { UpdateCompany } from '#shared/schemas/company.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { updateCompany } from '#server/company/company.service.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { saveAnswerSettings, saveContractAnswers } from '#server/customer-answers/answer-settings.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { attachPdf } from '#server/files/files.service.ts'
import { PAGE } from '#support/answering.ts'
import { aPdf } from '#support/pdf.ts'
import { MINUTE, useReminded, type Reminded } from '#support/reminded-customers.ts'

const { aReminded, open, post } = useReminded()

const DAY = 24 * 60 * MINUTE
const STALE = 'Your answer was not taken, because something has changed in the meantime.'

async function pageOf(link: string, choice: AnswerChoice): Promise<string> {
  const { body } = await open(`${link}/${choice}`)
  return PAGE.exec(body)?.[1] ?? ''
}

const attach = ({ request, id }: Reminded) => attachPdf(request, { id }, Readable.from([aPdf()]))

describe('An answer is not taken from a page that showed something else', () => {
  test.each<[string, (reminded: Reminded) => Promise<unknown>, string]>([
    [
      'the account has chosen that Renew takes effect at once',
      ({ as }) => as((ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, renewal: 'at_once', showsPdf: true })),
      'This takes effect at once.',
    ],
    [
      'the contract has been set so',
      ({ as, id }) => {
        const own = { hasLink: null, renewal: 'at_once', deadline: null, lateEnd: null, showsPdf: null }
        return as((ctx) => saveContractAnswers(ctx, SaveContractAnswers.parse({ id, ...own })))
      },
      'This takes effect at once.',
    ],
    [
      'the contract has another title',
      ({ as, id }) => as((ctx) => updateContract(ctx, UpdateContract.parse({ id, title: 'Web hosting plus' }))),
      'Web hosting plus',
    ],
    [
      'the contract has another reference',
      ({ as, id }) => as((ctx) => updateContract(ctx, UpdateContract.parse({ id, reference: 'C-8' }))),
      'C-8',
    ],
    [
      'the customer has another name',
      ({ as, customerId }) =>
        as((ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, name: 'Harbor Bakery' }))),
      'Harbor Bakery',
    ],
    [
      'the sender has another name',
      ({ as }) => as((ctx) => updateCompany(ctx, UpdateCompany.parse({ name: 'Alder Stores' }))),
      'We will tell Alder Stores',
    ],
    ['the PDF has been replaced', attach, 'Read the contract (PDF)'],
    ['the PDF is no longer shown', ({ as }) => as((ctx) => saveAnswerSettings(ctx, DEFAULT_ANSWERS)), 'We will tell'],
  ])('where %s', async (_what, change, words) => {
    const reminded = await aReminded({}, { showsPdf: true })
    const { link, contract, answers } = reminded
    await attach(reminded)
    const page = await pageOf(link, 'renew')
    await change(reminded)
    const { statusCode, body } = await post(link, { choice: 'renew', page, words: 'Gladly & soon' })
    expect(statusCode).toBe(409)
    for (const text of [STALE, words, 'Gladly &#38; soon']) expect(body).toContain(text)
    expect(await answers()).toEqual([])
    expect(await contract()).toMatchObject({ term: 1 })
    const again = PAGE.exec(body)?.[1] ?? ''
    expect((await post(link, { choice: 'renew', page: again, words: 'Gladly & soon' })).statusCode).toBe(303)
    expect(await answers()).toMatchObject([{ words: 'Gladly & soon' }])
  })

  test('where the day on which an overdue contract would end has passed', async () => {
    const { link, contract, answers, pass } = await aReminded()
    pass(10 * DAY)
    const page = await pageOf(link, 'end')
    pass(DAY / 2)
    const { statusCode, body } = await post(link, { choice: 'end', page, reason: 'Price' })
    expect(statusCode).toBe(409)
    expect(body).toContain('End the contract on March 21, 2026?')
    expect(body).toMatch(/value="Price" required checked/)
    expect(await answers()).toEqual([])
    expect(await contract()).toMatchObject({ status: 'active' })
  })

  test('where the last day to say no has passed', async () => {
    const { link, answers, pass } = await aReminded({ renews: 'automatic', noticePeriod: '7 days' })
    const page = await pageOf(link, 'end')
    pass(DAY / 2)
    const { statusCode, body } = await post(link, { choice: 'end', page, reason: 'Price' })
    expect(statusCode).toBe(409)
    expect(body).toContain('Ask to end the contract?')
    expect(await answers()).toEqual([])
  })

  test('but is where only the day, or what is not shown, is another', async () => {
    const reminded = await aReminded()
    const { link, as, id, answers, pass } = reminded
    await attach(reminded)
    const page = await pageOf(link, 'end')
    pass(DAY / 2)
    await attach(reminded)
    await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, notes: 'Call them' })))
    expect((await post(link, { choice: 'end', page, reason: 'Price' })).statusCode).toBe(303)
    expect(await answers()).toMatchObject([{ choice: 'end', state: 'done' }])
  })

  test('which keeps another message with the same answer', async () => {
    const { link, as, id, answers, pass } = await aReminded()
    await post(link, { choice: 'renew', page: await pageOf(link, 'renew'), words: 'Gladly' })
    pass(MINUTE)
    const page = await pageOf(link, 'renew')
    await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, title: 'Web hosting plus' })))
    const { statusCode, body } = await post(link, { choice: 'renew', page, words: 'On one condition' })
    expect(statusCode).toBe(409)
    expect(body).toContain('On one condition')
    expect(await answers()).toMatchObject([{ words: 'Gladly' }])
  })
})
