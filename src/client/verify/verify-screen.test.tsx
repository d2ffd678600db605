import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { certificatePdf } from '#shared/certificates/certificate-pdf.ts'
import { PROOF_FORMAT, type ProofRecord } from '#shared/domain/proof-chain.ts'
import { aForge, chained, type Forge } from '#support/proof-signer.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { VerifyScreen } from './verify-screen.tsx'

const operator = await aForge()
const former = await aForge()

const RECORD: ProofRecord = {
  format: PROOF_FORMAT,
  account: 7,
  number: 4,
  reminder: 3,
  kind: 'sent',
  at: '2026-03-10T12:00:00.000Z',
  parts: [{ name: 'message', title: 'Message', facts: [['Subject', 'Your contract']], text: 'It renews on April 1.' }],
}

async function aCertificate(forge: Forge, shown = RECORD): Promise<File> {
  const proved = (await chained([RECORD], forge)).map((one) => ({ ...one, record: shown }))
  const file = await certificatePdf({ format: 'traxx-certificate-1', proved })
  return new File([Uint8Array.from(file)], 'certificate.pdf', { type: 'application/pdf' })
}

function open() {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response(operator.publicPem)
  })
  const { user } = renderScreen(<VerifyScreen />)
  const choose = (file: File) => user.upload(screen.getByLabelText('Certificate'), file)
  return { user, choose, asked }
}

test('a genuine certificate says so and what it is of, and nothing is sent', async () => {
  const { choose, asked } = open()
  await choose(await aCertificate(operator))
  expect(await screen.findByText('Genuine')).toBeVisible()
  const records = screen.getByRole('list', { name: 'Records' })
  expect(within(records).getByText('It renews on April 1.')).toBeVisible()
  expect(asked).toEqual(['/proof-key.pem'])
})

test('the text of a letter is not said to have been sent', async () => {
  const { choose } = open()
  const parts = [{ name: 'letter', title: 'Letter', facts: [], text: 'It renews on April 1.' }]
  const proved = await chained([{ ...RECORD, kind: 'mailed', parts }], operator)
  const bytes = Uint8Array.from(await certificatePdf({ format: 'traxx-certificate-1', proved }))
  await choose(new File([bytes], 'certificate.pdf', { type: 'application/pdf' }))
  expect(await screen.findByText(/as TRAXX wrote it when it was marked as mailed. TRAXX did not mail it/)).toBeVisible()
  expect(screen.queryByText('Text as it was sent')).toBeNull()
})

test('a changed one says which part', async () => {
  const { choose } = open()
  const [part] = RECORD.parts
  const parts = part ? [{ ...part, text: 'It renews on April 2.' }] : []
  await choose(await aCertificate(operator, { ...RECORD, parts }))
  expect(await screen.findByText('The part “Message” of record 4 is not as it was signed.')).toBeVisible()
})

test('one of a newer version is unknown', async () => {
  const { choose } = open()
  const proved = await chained([{ ...RECORD, kind: 'handed over' }], operator)
  const bytes = Uint8Array.from(await certificatePdf({ format: 'traxx-certificate-1', proved }))
  await choose(new File([bytes], 'certificate.pdf', { type: 'application/pdf' }))
  expect(await screen.findByText('Unknown')).toBeVisible()
  expect(screen.getByText(/made by a newer version of TRAXX/)).toBeVisible()
})

test('one of a former key is unknown, and genuine with that key', async () => {
  const { user, choose } = open()
  await choose(await aCertificate(former))
  expect(await screen.findByText('Unknown')).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Records' })).not.toBeInTheDocument()
  await user.upload(screen.getByLabelText('Public key'), new File([former.publicPem], 'former.pem'))
  expect(await screen.findByText('Genuine')).toBeVisible()
  expect(screen.getByText('Checked with former.pem.')).toBeVisible()
})

test('a key that is none is said to be one', async () => {
  const { user, choose } = open()
  await choose(await aCertificate(operator))
  await screen.findByText('Genuine')
  await user.upload(screen.getByLabelText('Public key'), new File(['no key'], 'notes.pem'))
  expect(await screen.findByRole('alert')).toHaveTextContent('The file could not be checked')
})

test('it says that a mark of a letter can be withdrawn, and where that shows', () => {
  open()
  expect(screen.getByText(/The sender can withdraw the mark later/)).toHaveTextContent('proofs.json')
})

test('it says that the operator could forge records that nobody has kept a code of', () => {
  open()
  expect(screen.getByText(/could sign a whole new chain of false records/)).toBeVisible()
})
