import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

const COST = { N: 16_384, r: 8, p: 1 }
const LENGTH = 64

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** False as well for an account that has no password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored?.split('$') ?? []
  if (!hash) return false
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64'), cost), Buffer.from(hash, 'base64'))
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same letters can be typed as different code points.
    scrypt(password.normalize('NFKC'), salt, LENGTH, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
