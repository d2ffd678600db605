import { AFRelationship, PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { subjectName, subjectText, type ProofPart, type ProvedRecord } from '#shared/domain/proof-chain.ts'
import { certificateText, RECORD_FILE, VERIFY_AT, type Certificate } from './certificate.ts'
import { kindName, textCaption } from './kind-names.ts'
import { PageWriter, type Style } from '#shared/pdf/page-writer.ts'

/**
 * A certificate as a PDF, with its record attached. The same certificate has the same bytes everywhere: there is no clock
 * and no random number in it, so that whoever verifies one makes it again and compares.
 */
export async function certificatePdf(certificate: Certificate): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const [regular, bold, mono] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
    document.embedFont(StandardFonts.Courier),
  ])
  const styles: Styles = {
    title: { font: bold, size: 17 },
    heading: { font: bold, size: 12 },
    part: { font: bold, size: 9.5 },
    text: { font: regular, size: 9.5 },
    dim: { font: regular, size: 9.5, gray: 0.4 },
    hash: { font: mono, size: 7.4 },
    small: { font: regular, size: 8, gray: 0.4 },
  }
  const writer = new PageWriter(document)
  writeAll(writer, certificate, styles)
  document.setTitle(titleOf(certificate))
  document.setProducer('TRAXX')
  await document.attach(new TextEncoder().encode(certificateText(certificate)), RECORD_FILE, {
    mimeType: 'application/json',
    description: 'What this certificate says, for programs',
    afRelationship: AFRelationship.Data,
  })
  return document.save({ useObjectStreams: false, updateFieldAppearances: false })
}

type Styles = Record<'title' | 'heading' | 'part' | 'text' | 'dim' | 'hash' | 'small', Style>

function writeAll(writer: PageWriter, certificate: Certificate, styles: Styles): void {
  const { proved } = certificate
  const verifyAt = verifyAtOf(certificate)
  writer.text(titleOf(certificate), { style: styles.title })
  writer.space(4)
  writer.text(introduction(certificate, verifyAt), { style: styles.dim })
  for (const one of proved) writeProved(writer, one, styles)
  const where = verifyAt === undefined ? '' : `. Verify this file at ${verifyAt}`
  writer.footer((page, pages) => `Page ${page} of ${pages}${where}`, styles.small)
}

function titleOf({ proved: [first] }: Certificate): string {
  return `Certificate: ${kindName(first?.record.kind ?? '')}`
}

/** As it was signed with the message, so that nobody can send readers elsewhere. */
function verifyAtOf({ proved: [first] }: Certificate): string | undefined {
  const facts = first?.record.parts.flatMap((part) => part.facts) ?? []
  return facts.find(([label]) => label === VERIFY_AT)?.[1]
}

function introduction({ proved: [first] }: Certificate, verifyAt: string | undefined): string {
  const subject = first ? subjectName(first.record) : 'message'
  const where = verifyAt === undefined ? 'With the public key' : `At ${verifyAt}, or with the public key alone,`
  return `Each record below was signed by the operator of TRAXX when it happened, and is chained to the record before it. ${where} anybody can check that nothing in it has been changed since; other records about the same ${subject} may exist. The secret part of links is hidden, and a character that this page cannot print is shown by its code. The attached file ${RECORD_FILE} has all of it for programs.`
}

function writeProved(writer: PageWriter, { record, link }: ProvedRecord, styles: Styles): void {
  const { kind, account, number, parts } = record
  writer.rule()
  writer.keep(60)
  writer.text(kindName(kind), { style: styles.heading })
  writer.text(`Record ${number} of account ${account}, about ${subjectText(record)}`, { style: styles.dim })
  for (const part of parts) writePart(writer, part, styles)
  const hashes = [
    ['Previous hash', link.previousHash],
    ['Record hash', link.recordHash],
    ['Hash', link.hash],
    ['Signature', link.signature],
    ['Key', link.keyId],
  ] as const
  writer.space(6)
  writer.keep(50)
  writer.text('Signature', { style: styles.part })
  for (const fact of hashes) writer.fact(fact, { label: styles.dim, value: styles.hash })
}

function writePart(writer: PageWriter, { name, title, facts, text }: ProofPart, styles: Styles): void {
  writer.space(6)
  writer.keep(30)
  writer.text(title, { style: styles.part })
  for (const fact of facts) writer.fact(fact, { label: styles.dim, value: isHash(fact[1]) ? styles.hash : styles.text })
  if (!text) return
  writer.space(6)
  writer.text(textCaption(name), { style: styles.dim })
  writer.text(text, { style: styles.text, indent: 12 })
}

function isHash(value: string): boolean {
  return /^[0-9a-f]{64}$/.test(value)
}
