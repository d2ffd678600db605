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
      await until('reminders are being sent', () => mail.taken.length > before).catch(async (error: unknown) => {
        throw new Error(await inDatabase(standing), { cause: error })
      })
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

/** Why nothing is sent: when jobs ran, what is due, and what the sessions that hold locks are doing. */
async function standing(client: Client): Promise<string> {
  const { rows } = await client.query<{ said: string }>(`
    select concat_ws(' ', 'job', name, 'began', began_at, 'ended', ended_at) as said from job_runs
    union all select concat_ws(' ', count(*), 'messages are', state, 'first due', min(next_attempt_at)) from reminders group by state
    union all select concat_ws(' ', count(*), 'accounts are to be planned') from reminder_schedules where next_plan_at <= now()
    union all select concat_ws(' ', 'session', pid, state, wait_event, 'since', state_change, 'locks', array_agg(locktype), query)
      from pg_stat_activity join pg_locks using (pid) where datname = current_database() and locktype <> 'virtualxid'
      group by pid, state, wait_event, state_change, query`)
  return rows.map(({ said }) => said).join('\n')
}
