import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { certificateText } from '#shared/certificates/certificate.ts'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import type { RequestContext } from '#server/context.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { acceptAnswer, declineAnswer } from '#server/customer-answers/answers.service.ts'
import { anAnswerable } from '#support/answering.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { archiveOf, fillAccount, importArchive } from '#support/archives.ts'
import { chainVerdict, factOf, proofsOf } from '#support/proofs.ts'
import { fakeServices } from '#support/services.ts'
import { anAccount, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** What is proved of answers, without the emails. */
async function provedAnswers(request: RequestContext) {
  return (await proofsOf(request)).filter(({ answerId }) => answerId !== null)
}

function download(request: RequestContext, id: number | string) {
  return server.app.inject({ url: `/answers/${id}/certificate`, headers: bearer(request) })
}

async function genuine(file: Uint8Array) {
  const key = await readProofKey(fakeServices().proofSigner.publicPem)
  const found = await verifyCertificate(file, key ? [key] : [])
  if (found.verdict !== 'genuine') throw new Error(`It is ${found.verdict}`)
  return found.certificate
}

describe('an answer', () => {
  test('is proved in the words of the customer, with what was offered, its network shortened and its link hidden', async () => {
    const { request, contract, link, answer, answers } = await anAnswerable(world, server)
    const words = 'Less, please.\nWe are small. http://localhost:3000/answer/secret-of-a-link'
    const wishes = { wishedAmount: '1100', wishedDate: '2027-06-30', words }
    await answer('change', wishes)
    const [given] = await answers()
    const [proof, ...others] = await provedAnswers(request)
    expect(others).toEqual([])
    expect(proof).toMatchObject({
      answerId: given?.id,
      reminderId: null,
      record: { kind: 'answered', answer: given?.id },
    })
    expect(proof?.record).not.toHaveProperty('reminder')
    const fact = (part: string, label: string) => factOf(proof?.record, part, label)
    expect(fact('parties', 'Customer')).toBe('Harbor Bakery')
    expect(fact('contract', 'Contract')).toBe('Web hosting')
    expect(fact('contract', 'Reference')).toBe('H-7')
    expect(fact('contract', 'Amount')).toBe('$1,200.00 a year')
    expect(fact('contract', 'Renewal date')).toBe('April 1, 2026')
    expect(fact('contract', 'Next term')).toBe('April 1, 2026 to April 1, 2027')
    expect(fact('answer', 'Answer')).toBe('Ask for a change')
    expect(fact('answer', 'Requested amount')).toBe('$1,100.00')
    expect(fact('answer', 'Requested renewal date')).toBe('June 30, 2027')
    expect(fact('answer', 'Effect')).toBe('Waits for a decision about it')
    expect(fact('answer', 'Link sent to')).toBe('orders@harbor.test')
    expect(fact('answer', 'Network')).toBe('203.0.113.0/24')
    expect(fact('answer', 'Given by the link')).toBe('http://localhost:3000/answer/[hidden]')
    expect(proof?.record.parts.find(({ name }) => name === 'answer')?.text).toBe(
      words.replace('secret-of-a-link', '[hidden]'),
    )
    const all = JSON.stringify(await proofsOf(request))
    expect(all).not.toContain(link.slice('/answer/'.length))
    expect(all).not.toContain('203.0.113.77')
    expect(contract.id).toBe(given?.contractId)
    expect(await chainVerdict(request)).toMatchObject({ verdict: 'genuine' })
  })

  test('that takes effect at once is proved with what was agreed, and the one that it replaces as changed', async () => {
    const { request, answer, answers } = await anAnswerable(world, server, { renewal: 'at_once' })
    await answer('renew')
    await answer('end', { reason: 'Price', words: 'Sorry' })
    const [second, first] = await answers()
    const proved = await provedAnswers(request)
    expect(proved.map(({ answerId, record }) => [answerId, record.kind])).toEqual([
      [first?.id, 'answered'],
      [first?.id, 'changed'],
      [second?.id, 'answered'],
    ])
    expect(factOf(proved[0]?.record, 'answer', 'Effect')).toBe('Took effect at once')
    expect(factOf(proved[0]?.record, 'answer', 'Renewed')).toBe('April 1, 2026 to April 1, 2027')
    expect(factOf(proved[1]?.record, 'change', 'Now counts')).toBe(`Answer ${second?.id}`)
    expect(factOf(proved[2]?.record, 'answer', 'Replaces')).toBe(`Answer ${first?.id}`)
    expect(factOf(proved[2]?.record, 'answer', 'Reason')).toBe('Price')
    expect(factOf(proved[2]?.record, 'answer', 'Contract ends on')).toBe('April 1, 2026')
    const { proved: about } = await genuine((await download(request, first?.id ?? 0)).rawPayload)
    expect(about.map(({ record }) => record.kind)).toEqual(['answered', 'changed'])
  })

  test('that is refused is not proved', async () => {
    const { request, answer } = await anAnswerable(world, server)
    expect((await answer('end', { reason: 'None that is known' })).statusCode).not.toBe(303)
    expect(await provedAnswers(request)).toEqual([])
  })

  test('is proved in its own account, however many are given at the same time', async () => {
    const many = await Promise.all(Array.from({ length: 4 }, () => anAnswerable(world, server)))
    await Promise.all(many.map(({ answer }) => answer('renew')))
    for (const { request } of many) {
      expect(await provedAnswers(request)).toHaveLength(1)
      expect(await chainVerdict(request)).toMatchObject({ verdict: 'genuine' })
    }
  })
})

describe('the decision about an answer', () => {
  test('is proved with the words of the owner, and who it was', async () => {
    const { request, answer, answers } = await anAnswerable(world, server)
    await answer('renew')
    const [{ id } = { id: 0 }] = await answers()
    await asSubscriber(request, (ctx) => acceptAnswer(ctx, { id, reply: 'Gladly', amount: centsFromAmount(1150) }))
    const [, proof] = await provedAnswers(request)
    expect(proof).toMatchObject({ answerId: id, record: { kind: 'decided' } })
    expect(factOf(proof?.record, 'decision', 'Decision')).toBe('Accepted')
    expect(factOf(proof?.record, 'decision', 'New amount')).toBe('$1,150.00 a year')
    expect(factOf(proof?.record, 'decision', 'Decided by')).toBe(request.caller?.email)
    expect(proof?.record.parts.find(({ name }) => name === 'decision')?.text).toBe('Gladly')
  })

  test('to decline or dismiss it is proved as well', async () => {
    const declined = await anAnswerable(world, server)
    await declined.answer('renew')
    const decline = async ({ request, answers }: typeof declined) => {
      const [{ id } = { id: 0 }] = await answers()
      await asSubscriber(request, (ctx) => declineAnswer(ctx, { id, reply: null }))
      return factOf((await provedAnswers(request)).at(-1)?.record, 'decision', 'Decision')
    }
    expect(await decline(declined)).toBe('Declined')
    const overtaken = await anAnswerable(world, server)
    await overtaken.answer('renew')
    const change = { id: overtaken.contract.id, amount: centsFromAmount(1) }
    await asSubscriber(overtaken.request, (ctx) => updateContract(ctx, change))
    expect(await decline(overtaken)).toMatch(/^Dismissed/)
  })
})

describe('the certificate of an answer', () => {
  test('is a PDF that is genuine by itself, with the same bytes each time, and offered where there is one', async () => {
    const { request, answer, answers } = await anAnswerable(world, server)
    await answer('renew', { words: 'Yes, please' })
    const [{ id } = { id: 0 }] = await answers()
    const { statusCode, headers, rawPayload } = await download(request, id)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="traxx-certificate-answer-${id}.pdf"`,
    })
    expect((await PDFDocument.load(rawPayload)).getPageCount()).toBeLessThanOrEqual(2)
    expect(certificateText(await genuine(rawPayload))).toContain('Yes, please')
    expect((await download(request, id)).rawPayload).toEqual(rawPayload)
    expect(await answers()).toMatchObject([{ hasCertificate: true, isImported: false }])
  })

  test('stays when its contract is deleted', async () => {
    const { request, contract, answer, answers } = await anAnswerable(world, server)
    await answer('renew')
    const [{ id } = { id: 0 }] = await answers()
    await asSubscriber(request, (ctx) => removeContract(ctx, { id: contract.id }))
    expect((await download(request, id)).statusCode).toBe(200)
    expect(await answers()).toEqual([])
  })

  test('is nobody else’s', async () => {
    const [mine, theirs] = [await anAnswerable(world, server), await anAnswerable(world, server)]
    await theirs.answer('renew')
    const [{ id } = { id: 0 }] = await theirs.answers()
    for (const other of [id, 2_000_000_000]) {
      const refused = await download(mine.request, other)
      expect(refused.statusCode).toBe(404)
      expect(refused.json()).toMatchObject({ refusal: 'CERTIFICATE_NOT_FOUND' })
    }
    expect((await download(mine.request, 'first')).statusCode).toBe(400)
  })

  test('is none of an answer that an archive has brought, whatever is decided about it', async () => {
    const old = await anAccount(world)
    await fillAccount(old)
    const fresh = await anAccount(world, { company: null })
    await importArchive(server, fresh, await archiveOf(server, old))
    const list = async () => (await call(server, { url: '/answers', headers: bearer(fresh) })).body
    const imported = (await list()).rows ?? (await list())
    expect(imported.length).toBeGreaterThan(0)
    const [{ id: waiting }] = imported.filter(({ state }: { state: string }) => state === 'waiting')
    await asSubscriber(fresh, (ctx) => declineAnswer(ctx, { id: waiting, reply: null }))
    expect(await provedAnswers(fresh)).toEqual([])
    for (const answer of imported) {
      expect(answer).toMatchObject({ isImported: true, hasCertificate: false })
      expect((await download(fresh, answer.id)).statusCode).toBe(404)
    }
  })
})
