import { fc, test as property } from '@fast-check/vitest'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zipOf, type ZipEntry } from './zip.ts'

const AT = new Date('2026-03-10T12:34:56Z')

async function archive(entries: Iterable<ZipEntry>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  async function* each() {
    yield* entries
  }
  for await (const chunk of zipOf(each(), AT)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* pieces(...texts: string[]) {
  yield* texts
}

const files = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-zé]{1,9}$/), content: fc.array(fc.string()), isCompressible: fc.boolean() }),
  { selector: (file) => file.name, maxLength: 5 },
)

property.prop([files])('what goes into an archive comes out of it', async (written) => {
  const bytes = await archive(written.map((file) => ({ ...file, content: pieces(...file.content) })))
  const found = Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)])
  expect(found).toEqual(written.map(({ name, content }) => [name, content.join('').toWellFormed()]))
})

test('an archive may have more files than the format once allowed', async () => {
  function* many() {
    for (let n = 0; n < 66_000; n += 1) yield { name: `${n}`, content: pieces(`${n % 7}`), isCompressible: false }
  }
  const found = unzipSync(await archive(many()))
  expect(Object.keys(found)).toHaveLength(66_000)
  expect(strFromU8(found['65999'] ?? new Uint8Array())).toBe('3')
})

test('what fails while an entry is read fails the archive', async () => {
  async function* failing() {
    yield 'a'
    throw new Error('The file is gone')
  }
  await expect(archive([{ name: 'a', content: failing(), isCompressible: true }])).rejects.toThrow('The file is gone')
})
