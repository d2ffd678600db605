import type pg from 'pg'
import { randomId } from './ids.ts'

export interface Settings {
  secretKey: string
  webhookSecret: string
  portalConfiguration: string
  /** Mixed into a card's fingerprint, so that it tells nothing of the number. */
  fingerprintSalt: string
}

/** This database's keys; the first to ask makes them up. */
export async function readSettings(client: pg.PoolClient): Promise<Settings> {
  return {
    secretKey: await settingOf(client, 'secret_key', randomId('sk_test_51', 96)),
    webhookSecret: await settingOf(client, 'webhook_secret', randomId('whsec_', 32)),
    portalConfiguration: await settingOf(client, 'portal_configuration', randomId('bpc_1', 23)),
    fingerprintSalt: await settingOf(client, 'fingerprint_salt', randomId('', 32)),
  }
}

async function settingOf(client: pg.PoolClient, name: string, firstValue: string): Promise<string> {
  await client.query('insert into standin.stripe_settings values ($1, $2) on conflict do nothing', [name, firstValue])
  const { rows } = await client.query<{ value: string }>('select value from standin.stripe_settings where name = $1', [
    name,
  ])
  return rows[0]?.value ?? firstValue
}

/** Seconds that the stand-in's clock is ahead of the real one. */
export async function readOffset(client: pg.Pool | pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ value: string }>(
    `select value from standin.stripe_settings where name = 'clock_offset'`,
  )
  return Number(rows[0]?.value ?? 0)
}

export async function writeOffset(client: pg.PoolClient, seconds: number): Promise<void> {
  await client.query(
    `insert into standin.stripe_settings values ('clock_offset', $1) on conflict (name) do update set value = $1`,
    [String(seconds)],
  )
}
