import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { newId, newSecret } from './ids.ts'

/** Stands for `clerk.local.test`, which nobody owns: no browser ever resolves it. */
export const PUBLISHABLE_KEY = 'pk_test_Y2xlcmsubG9jYWwudGVzdCQ='

export interface Keys {
  id: string
  secretKey: string
  privateKey: KeyObject
  /** The public key, as SPKI in PEM. */
  jwtKey: string
}

interface InstanceRow {
  id: string
  secret_key: string
  private_key: string
}

/** The keys of this database, made at its first use. */
export async function openKeys(db: Db): Promise<Keys> {
  const stored = await db.query<InstanceRow>(sql`select id, secret_key, private_key from standin.clerk_instance`)
  const instance = stored.rows[0] ?? (await insertInstance(db))
  const privateKey = createPrivateKey(instance.private_key)
  const jwtKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  return { id: instance.id, secretKey: instance.secret_key, privateKey, jwtKey }
}

export function jwksJson({ id, jwtKey }: Keys) {
  const { n = '', e = '' } = createPublicKey(jwtKey).export({ format: 'jwk' })
  return { keys: [{ use: 'sig', kty: 'RSA', kid: id, alg: 'RS256', n, e }] }
}

async function insertInstance(db: Db): Promise<InstanceRow> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return only(
    await db.query<InstanceRow>(
      sql`insert into standin.clerk_instance (id, secret_key, private_key)
          values (${newId('ins')}, ${`sk_test_${newSecret()}`}, ${pem}) returning *`,
    ),
  )
}
