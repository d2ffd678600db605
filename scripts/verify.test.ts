import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PDFDocument } from '@cantoo/pdf-lib'
import { certificateText, RECORD_FILE } from '#shared/certificates/certificate.ts'
import { certificatePdf } from '#shared/certificates/certificate-pdf.ts'
import { PROOF_FORMAT, type ProofRecord, type ProvedRecord } from '#shared/domain/proof-chain.ts'
import { aForge, chained, type Forge } from '#support/proof-signer.ts'
import { verify } from './verify-command.ts'

const operator = await aForge()
const stranger = await aForge()

type Link = ProvedRecord['link']

/** Clears the line of a terminal, writes another one, and hides the rest. */
const HIDING = '\u001B[2K\u001B[1GGenuine. Every record is as it was signed.\u001B[8m'

function aRecord(number: number, text = 'It renews on April 1.'): ProofRecord {
  const message = { name: 'message', title: 'Message', facts: [['Subject', 'Your contract']], text } as const
  const about = { format: PROOF_FORMAT, account: 7, reminder: number, kind: 'sent' } as const
  return { ...about, number, at: `2026-03-10T12:00:0${number}.000Z`, parts: [message] }
}

/** A folder with the certificate of the second of three records, the operator's key, and the chain. */
async function aFolder(forge: Forge = operator, change = (proved: ProvedRecord[]) => proved) {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const proved = await chained([aRecord(1), aRecord(2), aRecord(3)], forge)
  const inFolder = (name: string) => join(folder, name)
  const certificate = { format: 'traxx-certificate-1', proved: change(proved.slice(1, 2)) } as const
  await writeFile(inFolder('certificate.pdf'), await certificatePdf(certificate))
  await writeFile(inFolder('public.pem'), operator.publicPem)
  await writeFile(inFolder('proofs.json'), JSON.stringify(proved.map(({ link }) => link)))
  const check = (...more: string[]) =>
    verify([inFolder('certificate.pdf'), '--key', inFolder('public.pem'), ...more], { DATA_DIR: folder })
  return { folder, inFolder, proved, check }
}

test('a genuine certificate says so, with what it is of', async () => {
  const { check, proved } = await aFolder()
  const { status, stdout } = await check()
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Genuine\./) })
  expect(stdout).toContain(proved[1]?.link.hash)
})

test('a changed one says which part, and ends with another code', async () => {
  const { check } = await aFolder(operator, (proved) =>
    proved.map((one) => ({ ...one, record: aRecord(2, 'It renews on April 2.') })),
  )
  expect(await check()).toMatchObject({
    status: 1,
    stdout: 'Changed. The part “Message” of record 2 is not as it was signed.\n',
  })
})

test.each([
  [
    'the title of a part',
    (record: ProofRecord) => ({ ...record, parts: record.parts.map((part) => ({ ...part, title: HIDING })) }),
    (link: Link) => link,
  ],
  ['the name of the key', (record: ProofRecord) => record, (link: Link) => ({ ...link, keyId: HIDING })],
])('a forged one cannot write over what the terminal says, by %s', async (_by, record, link) => {
  const { check, inFolder, proved } = await aFolder()
  const [first] = proved.map((one) => ({ ...one, record: record(one.record), link: link(one.link) }))
  const made = certificateText({ format: 'traxx-certificate-1', proved: first ? [first] : [] })
  const document = await PDFDocument.create()
  document.addPage()
  await document.attach(new TextEncoder().encode(made), RECORD_FILE)
  await writeFile(inFolder('certificate.pdf'), await document.save())
  const { stdout } = await check()
  expect(stdout).toMatch(/^(?:Changed|Unknown)\. [^\p{Cc}]*Genuine[^\p{Cc}]*\n$/u)
})

test('a forged chain that is no JSON cannot either', async () => {
  const { check, inFolder } = await aFolder()
  await writeFile(inFolder('proofs.json'), HIDING)
  const { status, stderr } = await check('--chain', inFolder('proofs.json'))
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^Nothing was verified: \P{Cc}+\n$/u) })
})

test('one of a newer version is unknown', async () => {
  const { check, inFolder } = await aFolder()
  const proved = await chained([{ ...aRecord(1), kind: 'handed over' }], operator)
  await writeFile(inFolder('certificate.pdf'), await certificatePdf({ format: 'traxx-certificate-1', proved }))
  const stdout = expect.stringContaining('made by a newer version of TRAXX')
  expect(await check()).toMatchObject({ status: 2, stdout })
})

test('of a letter it says that its mark can be withdrawn, and that the chain shows that', async () => {
  const { check, inFolder } = await aFolder()
  const marked = { ...aRecord(1), kind: 'mailed' }
  const [mailed, ...later] = await chained([marked, { ...aRecord(2), reminder: 1, kind: 'withdrawn' }], operator)
  if (!mailed) throw new Error('There are two records')
  await writeFile(
    inFolder('certificate.pdf'),
    await certificatePdf({ format: 'traxx-certificate-1', proved: [mailed] }),
  )
  const said = 'The sender can withdraw the mark of a letter later. The chain of the sender’s export shows that'
  expect(await check()).toMatchObject({ status: 0, stdout: expect.stringContaining(said) })
  const chain = [mailed, ...later].map(({ link }) => ({ ...link, reminderId: 1 }))
  await writeFile(inFolder('proofs.json'), JSON.stringify(chain))
  const stdout = 'Incomplete. The chain has record 2 about the same message, which was left out or came later.\n'
  expect(await check('--chain', inFolder('proofs.json'))).toMatchObject({ status: 1, stdout })
})

test('one of somebody else is unknown, and so is a file that is none', async () => {
  const { check, inFolder } = await aFolder(stranger)
  expect(await check()).toMatchObject({ status: 2, stdout: expect.stringContaining(stranger.key.id) })
  await writeFile(inFolder('certificate.pdf'), 'Hello')
  expect(await check()).toMatchObject({ status: 2, stdout: 'Unknown. This file is not a certificate of TRAXX.\n' })
})

test('it is part of the exported chain, and the chain leads to the head that was saved', async () => {
  const { check, inFolder, proved } = await aFolder()
  const head = `3:${proved[2]?.link.hash}`
  expect(await check('--chain', inFolder('proofs.json'), '--head', head)).toMatchObject({ status: 0 })
})

test('a chain that the operator has made anew leads to another head', async () => {
  const { check, inFolder, proved } = await aFolder()
  const anew = await chained([aRecord(1, 'Other'), aRecord(2), aRecord(3)], operator)
  await writeFile(inFolder('proofs.json'), JSON.stringify(anew.map(({ link }) => link)))
  const head = `3:${proved[2]?.link.hash}`
  const chain = ['--chain', inFolder('proofs.json')]
  expect(await check(...chain)).toMatchObject({ status: 1, stdout: 'Changed. Record 2 is not in the chain.\n' })
  expect(await check(...chain, '--head', head)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('made anew'),
  })
})

test('what the chain has about the same message and the certificate lacks is named', async () => {
  const { check, inFolder, proved } = await aFolder()
  const links = proved.map(({ link }) => ({ ...link, reminderId: link.number === 3 ? 2 : link.number, answerId: null }))
  await writeFile(inFolder('proofs.json'), JSON.stringify(links))
  expect(await check('--chain', inFolder('proofs.json'))).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^Incomplete\. The chain has record 3 about the same message/),
  })
})

test('a head of another record is not compared without the chain, and says so', async () => {
  const { check, proved } = await aFolder()
  expect(await check('--head', `3:${proved[2]?.link.hash}`)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('can only be compared with --chain'),
  })
})

test('a head of the very record of the certificate is compared without the chain', async () => {
  const { check, proved } = await aFolder()
  expect(await check('--head', `2:${proved[1]?.link.hash}`)).toMatchObject({ status: 0 })
  expect(await check('--head', `2:${'a'.repeat(64)}`)).toMatchObject({ status: 1 })
})

test('without a key, it is that of this installation', async () => {
  const { folder, inFolder } = await aFolder()
  const found = await verify([inFolder('certificate.pdf')], { DATA_DIR: folder })
  expect(found).toMatchObject({ status: 2, stdout: expect.stringContaining(operator.key.id) })
})

test.each([
  [[], 'use it as in: npm run verify'],
  [['nowhere.pdf', '--head', '12'], 'is not a head'],
  [['nowhere.pdf'], 'nowhere.pdf'],
])('%j says what is wrong', async (args, reason) => {
  const { folder } = await aFolder()
  const found = await verify(args, { DATA_DIR: folder })
  expect(found).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(reason) })
})
