import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  scrypt,
  type DecipherGCM,
  type ScryptOptions,
} from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/** What OWASP recommends for scrypt. It takes 128 MB. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

/** How the objects of a backup are stored: compressed, and encrypted if there is a key. */
export interface ObjectCodec {
  /** The name is part of what is authenticated, so that no object can stand in for another. */
  encode(name: string, bytes: Readable): Readable
  /** Fails at the end of a stream that is not as it was encoded: nothing of it may be used before. */
  decode(name: string, bytes: Readable): Readable
}

/** AES-256-GCM under a key that scrypt derives from the secret; without one, compression alone. */
export async function openCodec(secret: string | undefined, salt: Buffer): Promise<ObjectCodec> {
  if (secret === undefined) {
    return { encode: (_name, bytes) => compressed(bytes), decode: (_name, bytes) => decompressed(bytes) }
  }
  const key = await deriveKey(secret, salt)
  return {
    encode: (name, bytes) => Readable.from(encrypted(key, name, compressed(bytes))),
    decode: (name, bytes) => decompressed(Readable.from(decrypted(key, name, bytes))),
  }
}

export function newSalt(): Buffer {
  return randomBytes(KEY_BYTES)
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function deriveKey(secret: string, salt: Buffer): Promise<Buffer> {
  return derive(secret, salt, KEY_BYTES, COST)
}

/** The failure of a stream reaches whoever reads the last one. */
function compressed(bytes: Readable): Readable {
  return pipeline(bytes, createGzip(), () => {})
}

function decompressed(bytes: Readable): Readable {
  return pipeline(bytes, createGunzip(), () => {})
}

async function* encrypted(key: Buffer, name: string, bytes: Readable): AsyncGenerator<Buffer> {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(name))
  yield iv
  for await (const chunk of bytes) yield cipher.update(chunk)
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()])
}

async function* decrypted(key: Buffer, name: string, bytes: Readable): AsyncGenerator<Buffer> {
  let decipher: DecipherGCM | undefined
  let held = Buffer.alloc(0)
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk])
    if (!decipher && held.length >= IV_BYTES) {
      decipher = createDecipheriv(CIPHER, key, held.subarray(0, IV_BYTES)).setAAD(Buffer.from(name))
      held = held.subarray(IV_BYTES)
    }
    // The last bytes of the stream are the tag.
    const free = held.length - TAG_BYTES
    if (!decipher || free <= 0) continue
    yield decipher.update(held.subarray(0, free))
    held = held.subarray(free)
  }
  if (!decipher || held.length !== TAG_BYTES) throw new Error(`${name} is cut short`)
  decipher.setAuthTag(held)
  yield decipher.final()
}

/** The same stream; after its end, the hash of what went through. */
export function hashed(bytes: Readable): { bytes: Readable; sha256: () => string } {
  const hash = createHash('sha256')
  async function* pass() {
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { bytes: Readable.from(pass()), sha256: () => hash.digest('hex') }
}
