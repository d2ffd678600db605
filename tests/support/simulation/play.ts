import type { Client } from 'pg'
import type { Random } from '#support/random.ts'
import type { Model } from './model.ts'

export interface Play {
  model: Model
  random: Random
  owner: Client
}
