import type pg from 'pg'
import type { Mail } from './call.ts'
import type { Keys } from './keys.ts'

export interface StandinOptions {
  pool: pg.Pool
  sendMail: (message: Mail) => Promise<void>
}

export interface Standin extends StandinOptions {
  keys: Keys
}
