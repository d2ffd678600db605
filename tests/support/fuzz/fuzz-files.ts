import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { aPdfAddress, sendFile, sendForm, type FuzzTarget } from './fuzz-target.ts'
import { hostileArchive, unharmedArchive } from './hostile-archives.ts'
import { makeCertificates, type Certificates } from './hostile-certificates.ts'
import { hostileCsv, hostileForm, hostileLogo, hostilePdf, hostileWorkbook, type HostileFile } from './hostile-files.ts'
import { readArchiveAlone, readCertificate, readWorkbook } from './read-here.ts'

export interface FuzzOptions {
  seed: number
  /** Files for each reader. */
  runs: number
  tell?: (line: string) => void
}

export interface FuzzReport {
  files: number
  /** How often each reader answered what. */
  answers: Record<string, number>
  faults: string[]
  /** Megabytes of the server once each reader had met a few files, and at the end. */
  memory: { before: number; after: number }
}

interface Reader {
  name: string
  files: fc.Arbitrary<HostileFile>
  /** Comes first. */
  unharmed?: HostileFile
  /** It gets one in this number of files: each starts a process. */
  oneOf?: number
  /** What came of a file. Throws where that must not come of any. */
  read: (file: HostileFile) => Promise<string | number>
}

const WARM_UP = 10
const CUSTOMERS = '/customers/bulk-upload?again=true'
const CONTRACTS = '/contracts/bulk-upload?again=true&createCustomers=true&dateOrder=mdy&decimalMark=dot&reminders=ask'
const LOGO = '/account/company/logo'

/** Sends files that are wrong in many ways to every reader of files. What fails is made small and kept in a folder. */
export async function fuzzFiles(target: FuzzTarget, { seed, runs, tell = () => {} }: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = { files: 0, answers: {}, faults: [], memory: { before: 0, after: 0 } }
  const readers = readersOf(target, await aPdfAddress(target), await makeCertificates())
  for (const reader of readers) await fuzz(reader, { seed: seed + 1, runs: WARM_UP }, report)
  report.memory.before = await target.memory()
  for (const reader of readers) {
    await fuzz(reader, { seed, runs }, report)
    tell(`${reader.name}: ${report.files} files so far, ${Math.round(await target.memory())} MB`)
  }
  report.memory.after = await target.memory()
  const health = await fetch(`${target.origin}/healthz`)
  if (!health.ok) report.faults.push(`/healthz answers ${health.status}`)
  return report
}

function readersOf(target: FuzzTarget, pdf: string, certificates: Certificates): Reader[] {
  const upload = (path: string) => (file: HostileFile) => sendFile(target, path, file)
  const importArchive = async (file: HostileFile) =>
    sendFile({ ...target, key: await target.emptyKey() }, '/imports/archive', file)
  const archives = { files: hostileArchive, unharmed: unharmedArchive }
  const { hostile, genuine } = certificates
  return [
    { name: 'customers.csv', files: hostileCsv, read: upload(CUSTOMERS) },
    { name: 'contracts.csv', files: hostileCsv, read: upload(CONTRACTS) },
    { name: 'workbook', files: hostileWorkbook, read: readWorkbook },
    { name: 'customers.xlsx', files: hostileWorkbook, oneOf: 60, read: upload(CUSTOMERS) },
    { name: 'contracts.xlsx', files: hostileWorkbook, oneOf: 60, read: upload(CONTRACTS) },
    { name: 'archive', ...archives, read: readArchiveAlone },
    { name: 'archive.zip', ...archives, oneOf: 20, read: importArchive },
    { name: 'certificate', files: hostile, unharmed: genuine, read: readCertificate(certificates) },
    { name: 'pdf', files: hostilePdf, read: upload(pdf) },
    { name: 'logo', files: hostileLogo, read: upload(LOGO) },
    { name: 'form of an import', files: hostileForm('file'), read: (file) => sendForm(target, CUSTOMERS, file) },
    { name: 'form of a pdf', files: hostileForm('pdf'), read: (file) => sendForm(target, pdf, file) },
    { name: 'form of a logo', files: hostileForm('logo'), read: (file) => sendForm(target, LOGO, file) },
  ]
}

async function fuzz(
  { name, files, unharmed, oneOf = 1, read }: Reader,
  { seed, runs }: FuzzOptions,
  report: FuzzReport,
) {
  const property = fc.asyncProperty(files, async (file) => {
    report.files += 1
    const answer = `${name} ${await read(file)}`
    report.answers[answer] = (report.answers[answer] ?? 0) + 1
  })
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
    seed,
    numRuns: Math.ceil(runs / oneOf),
    examples: unharmed ? [[unharmed]] : [],
  })
  if (!failed) return
  const kept = join(mkdtempSync(join(tmpdir(), 'traxx-fuzz-')), 'input')
  writeFileSync(kept, counterexample?.[0]?.bytes ?? '')
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  report.faults.push(`${name}, seed ${seed}, path ${counterexamplePath}: ${reason}; the file is ${kept}`)
}
