import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { z } from 'zod'
import { addDays } from '#shared/domain/day.ts'
import { OUTBOX_DAYS } from '#shared/domain/reminder-forecast.ts'
import { AppError } from '#shared/errors.ts'
import { randomFrom } from '#support/random.ts'
import type { DrawnAccount, SentEmail } from './account.ts'
import { announceAndDo, type Announced } from './acts.ts'
import { drawCase } from './draw.ts'
import { openTwinsWorld, type Twins, type TwinsWorld } from './twins.ts'

const MINUTE = 60_000
/** So often that every account's hour comes on each of its days. */
const STEP = 12 * 60 * MINUTE
const YEAR_DAYS = 366

export interface AnnouncedOptions {
  /** A migrated database that nobody else uses. */
  connection: pg.PoolConfig
  seed: number
  /** How many accounts, in each of which something is done. */
  count: number
}

/** How many acts of a kind were not refused, and of how many of them something was announced. */
export interface Checked {
  done: number
  announcing: number
}

/**
 * What is announced of an act is what then comes: draws accounts with a past and an act in each, asks what is announced,
 * does it in one of two twins, and has the emails of the days that the announcement covers planned and sent in both.
 *
 * Left out, because these differences are meant (docs/decisions/0030, 0036 and 0138) or have tests of their own:
 * - emails that wait: for limits, the company's name, the verified address of the owner, or because mail is stopped;
 * - reminders by hand and confirmations of renewals, of which the announcement says nothing;
 * - the terms after the one in which a contract is a few minutes later, and what replaces reminders of a day on which
 *   customers are told of a renewal;
 * - contracts that end some days after they are overdue;
 * - contracts whose date a file keeps (`muted-renewals.test.ts`), and the ledger of a date to which a file moves a contract;
 * - tags of customers, and tags that are renamed or removed (`announced-tags.test.ts`);
 * - reminders that go on because a change that keeps the date makes an answer count no more.
 * @throws with all that was drawn where it is not so
 */
export async function checkAnnounced({ connection, seed, count }: AnnouncedOptions): Promise<Map<string, Checked>> {
  const checked = new Map<string, Checked>()
  await using world = await openTwinsWorld(connection)
  const random = randomFrom(seed)
  const steps = random.int(0, 40)
  const actAt = Date.UTC(2026, 0, random.int(1, YEAR_DAYS), random.int(0, 23), random.pick([10, 40]))
  world.clock.now = actAt - 60 * MINUTE - steps * STEP
  const twins: Twins[] = []
  for (let place = 0; place < count; place += 1) twins.push(await world.open(drawCase(random, steps), actAt))
  await livePast(world, twins, { steps, actAt })
  const announced = new Map<Twins, { announced: Announced; known: [SentEmail[], SentEmail[]] }>()
  for (const pair of twins) {
    const known: [SentEmail[], SentEmail[]] = [await pair.acting.sent(), await pair.idle.sent()]
    const asked = await announceAndDo(pair.acting, world.runBulk).catch(notRefused)
    await world.planAlike(pair)
    if (asked) announced.set(pair, { announced: asked, known })
  }
  world.clock.now = actAt + 6 * MINUTE
  await world.run()
  const terms = new Map<Twins, ReadonlyMap<number, number>>()
  for (const pair of announced.keys()) terms.set(pair, await pair.acting.terms())
  for (let step = 1; step <= 2 * (OUTBOX_DAYS + 1); step += 1) {
    world.clock.now = actAt + step * STEP
    await world.run()
  }
  const faults: string[] = []
  for (const [pair, { announced: asked, known }] of announced) {
    const { kind } = pair.drawn.act
    const { done, announcing } = checked.get(kind) ?? { done: 0, announcing: 0 }
    checked.set(kind, { done: done + 1, announcing: announcing + (isSomething(asked.said) ? 1 : 0) })
    const fault = await judge(pair, asked, { known, terms: terms.get(pair) })
    if (fault)
      faults.push(`${new Date(actAt).toISOString()} after ${steps} steps: ${fault}\n${JSON.stringify(pair.drawn)}`)
  }
  for (const pair of twins) await world.close(pair)
  if (faults.length > 0)
    throw new Error(`Seed ${seed}, ${count} accounts: ${faults.length} differ\n${faults.join('\n\n')}`)
  return checked
}

async function livePast(
  world: TwinsWorld,
  twins: readonly Twins[],
  { steps, actAt }: { steps: number; actAt: number },
) {
  for (let step = 0; step <= steps; step += 1) {
    world.clock.now = actAt - 60 * MINUTE - (steps - step) * STEP
    for (const { acting, idle } of twins) {
      await acting.pass(step)
      await idle.pass(step)
    }
    // Planning comes five minutes after a change; what changed last may not be planned yet.
    world.clock.now += step < steps ? 6 * MINUTE : 60 * MINUTE
    if (step < steps || steps % 2 === 0) await world.run()
  }
  world.clock.now = actAt
}

function notRefused(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

const Nothing = z.object({ count: z.literal(0) })

function isSomething(said: unknown): boolean {
  return said !== undefined && !Nothing.safeParse(said).success
}

/** What differs; undefined where nothing does. */
async function judge(
  { acting, idle }: Twins,
  { said, came, about }: Announced,
  { known, terms }: { known: [SentEmail[], SentEmail[]]; terms: ReadonlyMap<number, number> | undefined },
) {
  const isAnnounced = ({ place, termNumber }: SentEmail) => about.includes(place) && termNumber === terms?.get(place)
  const [mine, others] = [await sentSince(acting, known[0]), await sentSince(idle, known[1])]
  const brought = mine.filter((email) => !others.some((other) => isSame(email, other)))
  const all = mine.filter(isAnnounced)
  const result = came({ all, brought: brought.filter(isAnnounced) })
  if (!isDeepStrictEqual(said, result))
    return `announced ${JSON.stringify(said)}, came ${JSON.stringify(result)} of ${JSON.stringify(all)}`
  const mineBesides = mine
    .filter(({ place }) => !about.includes(place))
    .map(keyOf)
    .toSorted()
  const othersBesides = others
    .filter(({ place }) => !about.includes(place))
    .map(keyOf)
    .toSorted()
  if (isDeepStrictEqual(mineBesides, othersBesides)) return undefined
  return `others were written to: ${mineBesides.join()} instead of ${othersBesides.join()}`
}

/** A notice may take the place of a reminder, and is a notice that the twin did not get. */
function isSame(email: SentEmail, other: SentEmail): boolean {
  return keyOf(email) === keyOf(other) && (email.kind !== 'notice' || other.kind === 'notice')
}

function keyOf({ place, address, day }: SentEmail): string {
  return `${place} ${address} ${day}`
}

/** Of the days that an announcement covers. */
async function sentSince(account: DrawnAccount, known: readonly SentEmail[]): Promise<SentEmail[]> {
  const ids = new Set(known.map(({ id }) => id))
  const through = addDays(account.day(0), OUTBOX_DAYS)
  const announcedKinds = ['reminder', 'follow_up', 'notice']
  return (await account.sent()).filter(
    ({ id, day, kind }) => !ids.has(id) && day <= through && announcedKinds.includes(kind),
  )
}
