import type { Client } from 'pg'
import { addAccounts, addContracts, audit, unfinished } from '#support/kill-worker.ts'
import { startMailServer } from '#support/mail-server.ts'
import { until } from './processes.ts'

/** How long the mail server takes for a message: so long that some are under way while something fails. */
const MESSAGE_MS = 1000

/** Does a piece of work on a connection of its own. */
type InDatabase = <T>(work: (client: Client) => Promise<T>) => Promise<T>

/** Contracts whose reminders fall due while something fails, and the mail server that gets them. */
export async function openReminders() {
  const mail = await startMailServer({ milliseconds: () => MESSAGE_MS, treat: () => 'take' })
  let batches = 0
  return {
    url: mail.url,
    addAccounts,
    /** Adds contracts, and waits until the first of their messages is being sent. */
    send: async (inDatabase: InDatabase) => {
      await inDatabase((client) => addContracts(client, batches))
      batches += 1
      const before = mail.taken.length
      // Accounts are planned each minute.
      await until('reminders are being sent', () => mail.taken.length > before)
    },
    taken: () => mail.taken.length,
    /** Messages that the server took more often than the ledger records as possible. */
    doubled: async (client: Client): Promise<number> => (await audit(client, mail)).repeatedUnrecorded,
    /** Minutes later: what a killed worker was sending, or the mail server did not take, is due again. For when none runs. */
    passMinutes: async (client: Client) => {
      await client.query(`update reminders set next_attempt_at = now() where state in ('planned', 'sending')`)
    },
    /** Waits until the workers have nothing left to do. Returns the messages that differ from the ledger. */
    finish: async (inDatabase: InDatabase): Promise<string[]> => {
      await until('all reminders are sent', () => inDatabase(async (client) => (await unfinished(client)) === 0), 600)
      return inDatabase(async (client) => (await audit(client, mail)).faults)
    },
    stop: () => mail.stop(),
  }
}
