import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { AppError } from '#shared/errors.ts'
import { readArchive } from '#server/archives/read-archive.ts'
import { ReadBatch, ReadRefusal, ReadSummary } from '#server/archives/reader-output.ts'
import { readXlsx } from '#server/imports/sheet/read-xlsx.ts'
import type { Certificates } from './hostile-certificates.ts'
import type { HostileFile } from './hostile-files.ts'

// Readers by themselves: thousands of processes would take hours.

/** Of the processor: several times what the slowest file takes. */
const LONGEST_SECONDS = 20
const MOST_MEGABYTES = 500

export async function readWorkbook({ bytes }: HostileFile): Promise<string> {
  try {
    let rows = 0
    for await (const { cells } of readXlsx(bytes)) rows += cells.length > 0 ? 1 : 0
    return rows > 0 ? 'read' : 'empty'
  } catch (error) {
    if (error instanceof AppError) return error.key
    throw error
  }
}

/** As the process that reads archives does, and the server that reads what it says. */
export async function readArchiveAlone({ bytes }: HostileFile): Promise<string> {
  const readAt = (position: number, length: number) => bytes.subarray(position, position + length)
  return bounded(async () => {
    try {
      const lines: string[] = []
      for await (const line of readArchive(bytes.length, readAt)) lines.push(line)
      ReadSummary.parse(JSON.parse(lines.pop() ?? ''))
      for (const line of lines) ReadBatch.parse(JSON.parse(line))
      return 'read'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return ReadRefusal.parse(error).key
    }
  })
}

/** @throws if it calls any other file genuine */
export function readCertificate({ keys, genuine }: Certificates): (file: HostileFile) => Promise<string> {
  return ({ bytes }) =>
    bounded(async () => {
      const found = await verifyCertificate(bytes, keys)
      if (found.verdict === 'genuine' && !bytes.equals(genuine.bytes)) throw new Error('It is called genuine')
      return found.verdict
    })
}

/** @throws if it takes too long or too much memory */
async function bounded(read: () => Promise<string>): Promise<string> {
  const [processor, memory] = [process.cpuUsage(), process.resourceUsage().maxRSS]
  const answer = await read()
  const { user, system } = process.cpuUsage(processor)
  const [seconds, kilobytes] = [(user + system) / 1e6, process.resourceUsage().maxRSS - memory]
  if (seconds > LONGEST_SECONDS) throw new Error(`It takes ${Math.round(seconds)} seconds of the processor`)
  if (kilobytes > MOST_MEGABYTES * 1024)
    throw new Error(`It takes ${Math.round(kilobytes / 1024)} MB more than any before`)
  return answer
}
