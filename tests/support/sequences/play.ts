import { getContract } from '#server/contracts/contracts.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { requireReader } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { activityAfter, driftOf, isInTrash, statesOf, type ContractState, type States } from './contract-state.ts'
import { faultsOfView, LAWS, type Step } from './laws.ts'
import { Undoing } from './undoing.ts'
import type { SequenceWorld } from './world.ts'

type Work = (world: SequenceWorld) => Promise<unknown>

/** One sequence of acts in an account. Every step of it is checked. */
export class Play {
  readonly world: SequenceWorld
  steps = 0
  readonly #undoing = new Undoing()
  readonly #lateStarts = new Set<string>()
  #states: States = new Map()
  #lastActivity = 0

  constructor(world: SequenceWorld) {
    this.world = world
  }

  /** The same on one of the contracts, if there are any. */
  async stepOn(name: string, place: number, work: (world: SequenceWorld, on: ContractState) => Promise<unknown>) {
    const all = [...this.#states.values()]
    const contract = all[place % all.length]
    if (contract) await this.step(name, (world) => work(world, contract))
  }

  /** Does something, which the rules may refuse, and checks what became of it. @throws if that must not be */
  async step(name: string, work: Work): Promise<void> {
    const { owner, accountId, request } = this.world
    this.steps += 1
    this.world.pass({ minutes: 1 })
    const refusal = await refusalOf(work(this.world))
    const [before, after] = [this.#states, await statesOf(owner, accountId)]
    const activity = await activityAfter(owner, { accountId, last: this.#lastActivity })
    const actor = name === 'night' ? 'job:renew-contracts' : request.actor
    const today = this.world.day()
    const step: Step = { name, actor, today, refusal, before, after, activity, lateStarts: this.#lateStarts }
    const faults = [
      ...LAWS.flatMap((law) => law(step)),
      ...this.#undoing.faultsOf(step),
      ...(await driftOf(owner)).map((table) => `${table} is not what the rows add up to`),
      ...(await this.#viewed(after)),
    ]
    this.#states = after
    this.#lastActivity = activity.at(-1)?.id ?? this.#lastActivity
    if (faults.length > 0) throw new Error(`${name} on ${today}${refusal ? ` (${refusal})` : ''}: ${faults.join('; ')}`)
  }

  /** What the calls say of each contract. */
  async #viewed(states: States): Promise<string[]> {
    const reader = requireReader(this.world.request)
    const faults: string[] = []
    for (const [id, state] of states)
      if (!isInTrash(state))
        faults.push(...faultsOfView(state, await getContract(reader, { id }), await listTerms(reader, { id })))
    return faults
  }
}

async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.key
    throw error
  }
}
