import { expect, test } from 'vitest'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { listNoticeRules, removeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { fakeServices } from '#support/services.ts'
import { asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

type Noticed = Awaited<ReturnType<typeof aNoticedContract>>

/** What the certificate of the message of a kind says of its contract. */
async function contractFacts({ request }: Noticed, kind: 'notice' | 'letter' | 'reminder') {
  const message = (await ledgerOf(request)).find((one) => one.kind === kind && one.channel !== 'in_app')
  const { rawPayload } = await server.app.inject({
    url: `/reminders/${message?.id}/certificate`,
    headers: bearer(request),
  })
  const key = await readProofKey(fakeServices().proofSigner.publicPem)
  const found = await verifyCertificate(rawPayload, key ? [key] : [])
  if (found.verdict !== 'genuine') throw new Error(`It is ${found.verdict}`)
  const parts = found.certificate.proved.flatMap(({ record }) => record.parts)
  return Object.fromEntries(parts.find(({ title }) => title.startsWith('Contract'))?.facts ?? [])
}

const BY_WISCONSIN = {
  Rule: 'Wisconsin: business contracts',
  Law: 'Wisconsin Statutes 134.49 (3), (4), as read on November 22, 2026',
  'Notice window': 'January 25, 2026 to March 11, 2026',
  'How it was counted':
    'Between Jan 25, 2026 and Mar 11, 2026: 60 to 15 days before Mar 26, 2026, the last day for notice',
}

test('the certificate of a notice by email says by which rule, which law, and in which window it was sent', async () => {
  const noticed = await aNoticedContract(world, {
    law: 'wisconsin_business',
    contract: { noticePeriod: '10 days' },
  })
  await noticed.on('2026-03-06')
  expect(await contractFacts(noticed, 'notice')).toMatchObject(BY_WISCONSIN)
  const {
    rules: [rule],
  } = await listNoticeRules(requireReader(noticed.request))
  await asSubscriber(noticed.request, (ctx) => removeNoticeRule(ctx, { id: rule?.id ?? 0 }))
  expect(await contractFacts(noticed, 'notice')).toMatchObject(BY_WISCONSIN)
})

test('the certificate of a letter says the same', async () => {
  const noticed = await aNoticedContract(world, {
    law: 'wisconsin_business',
    contract: { noticePeriod: '10 days' },
  })
  const marked = await call(server, {
    method: 'POST',
    url: `/contracts/${noticed.id}/notice-letter`,
    headers: bearer(noticed.request),
    payload: { on: '2026-03-05' },
  })
  expect(marked.status).toBe(200)
  expect(await contractFacts(noticed, 'letter')).toMatchObject(BY_WISCONSIN)
})

test('of a rule of the account’s own no law is named, and of a reminder no rule', async () => {
  const noticed = await aNoticedContract(world)
  await noticed.on('2026-03-06')
  const facts = await contractFacts(noticed, 'notice')
  expect(facts).toMatchObject({ Rule: 'Ours', 'Notice window': 'March 6, 2026 to March 21, 2026' })
  expect(facts).not.toHaveProperty('Law')
  const reminded = await aNoticedContract(world, { rule: { means: ['letter'] } })
  await reminded.on('2026-03-06')
  expect(await contractFacts(reminded, 'reminder')).not.toHaveProperty('Rule')
})
