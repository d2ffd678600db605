import type { Sql } from 'sql-template-tag'
import type { Services } from '#server/context.ts'
import { checking, checkingEach } from '#server/db/rows.ts'
import type { Database } from '#server/db/database.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { shareOf, type Random } from '#support/random.ts'
import type { Model } from './model.ts'

interface Outside {
  db: Database
  services: Services
}

/** What a process that has been killed does with everything it still wanted to do. */
class Killed extends Error {}

/**
 * The same database and mail server, as a process sees them that is killed after so many steps. A step is every
 * statement, every begin and end of a transaction, and every message, both before it is done and after.
 */
export function mortal({ db, services }: Outside, steps: number): Outside & { isDead: () => boolean } {
  let left = steps
  const step = () => {
    left -= 1
    if (left <= 0) throw new Killed('killed')
  }
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    step()
    const result = await work()
    step()
    return result
  }
  const writeAs =
    (from: Database): Database['writeAs'] =>
    (accountId, work) =>
      around(() =>
        from.writeAs(accountId, (em, write) => {
          const mortalWrite = Object.assign(
            checking((statement) => around(() => write(statement))),
            { later: (statement: Sql) => around(() => write.later(statement)) },
          )
          return around(() => work(em, mortalWrite))
        }),
      )
  const writeTogether: Database['writeTogether'] = (work) =>
    around(() => db.writeTogether((write) => around(() => work(checkingEach((asked) => around(() => write(asked)))))))
  const system: Database['system'] = {
    query: (...asked) => around(() => db.system.query(...asked)),
    transaction: (statements) => around(() => db.system.transaction(statements)),
  }
  const mailer: Mailer = { ...services.mailer, send: (message) => around(() => services.mailer.send(message)) }
  const as: Database['as'] = (actor) => ({ ...db.as(actor), as, system, writeTogether, writeAs: writeAs(db.as(actor)) })
  const mortalDb = { ...db, as, system, writeTogether, writeAs: writeAs(db) }
  return { db: mortalDb, services: { ...services, mailer }, isDead: () => left <= 0 }
}

export interface Conditions {
  mail: 'fine' | 'flaky' | 'down'
}

/** A mail server that does what its conditions say, the same for the same seed in any order. */
export function simulatedMailer(model: Model, conditions: Conditions, seed: number): Mailer {
  const attempts = new Map<number, number>()
  return {
    messageIdOf: (key) => `<${key}@traxx.test>`,
    send: async ({ to, subject, key = '', text }) => {
      const messageId = `<${key}@traxx.test>`
      const rowId = Number(/^reminder-(\d+)\./.exec(key)?.[1])
      const attempt = (attempts.get(rowId) ?? 0) + 1
      attempts.set(rowId, attempt)
      model.mailCounts.tries.push({ to, at: model.now, messageId })
      await new Promise(setImmediate)
      if (conditions.mail === 'down') throw failure('connect ECONNREFUSED', { code: 'ESOCKET', syscall: 'connect' })
      const share = conditions.mail === 'flaky' ? shareOf(seed, to, subject, attempt) : 1
      if (share < 0.06) throw failure('451 later', { code: 'EMESSAGE', responseCode: 451 })
      if (share < 0.08) throw failure('550 no', { code: 'EENVELOPE', responseCode: 550, permanent: true })
      if (share < 0.14) throw lost(model, messageId)
      model.receipts.push({ messageId, to, at: model.now, text })
      if (share < 0.2) throw lost(model, messageId)
      return { messageId }
    },
  }
}

function failure(message: string, fields: object): Error {
  return Object.assign(new Error(message), fields)
}

function lost(model: Model, messageId: string): Error {
  model.lostMails.add(messageId)
  return failure('Connection closed unexpectedly', { code: 'ECONNECTION' })
}

/** How many steps a process gets that is to be killed somewhere in its round. */
export function fewSteps(random: Random): number {
  return Math.ceil(Math.exp(random.share() * Math.log(300)))
}
