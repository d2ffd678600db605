import { getContract } from '#server/contracts/contracts.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { requireReader } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import {
  activityAfter,
  driftOf,
  importsOf,
  isInTrash,
  statesOf,
  type ContractState,
  type States,
} from './contract-state.ts'
import { faultsOfFigures } from './figures.ts'
import { faultsOfView, LAWS, type Step } from './laws.ts'
import { Restoring } from './restoring.ts'
import { Undoing } from './undoing.ts'
import type { SequenceWorld } from './world.ts'

type Work = (world: SequenceWorld) => Promise<unknown>

/** One sequence of acts in an account. Every step of it is checked. */
export class Play {
  readonly world: SequenceWorld
  steps = 0
  readonly #undoing = new Undoing()
  readonly #restoring = new Restoring()
  readonly #lateStarts = new Set<string>()
  #states: States = new Map()
  #imports: number[] = []
  #lastActivity = 0

  constructor(world: SequenceWorld) {
    this.world = world
  }

  /** A reference that no other contract has. */
  get newReference(): string {
    return `R-${this.#states.size}`
  }

  /** Some of the contracts; the same place twice is one contract twice. */
  contractsAt(places: number[]): ContractState[] {
    const all = [...this.#states.values()]
    return places.flatMap((place) => all[place % all.length] ?? [])
  }

  /** The same on one of the contracts, if there are any. */
  async stepOn(name: string, place: number, work: (world: SequenceWorld, on: ContractState) => Promise<unknown>) {
    const [contract] = this.contractsAt([place])
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
    const imports = { before: this.#imports, after: await importsOf(owner, accountId) }
    const jobs = { night: 'job:renew-contracts', import: `import:${imports.after.at(-1)}` }
    const actor = name === 'night' || name === 'import' ? jobs[name] : request.actor
    const today = this.world.day()
    const step: Step = { name, actor, today, refusal, before, after, imports, activity, lateStarts: this.#lateStarts }
    const faults = [
      ...LAWS.flatMap((law) => law(step)),
      ...this.#undoing.faultsOf(step),
      ...this.#restoring.faultsOf(step),
      ...(await driftOf(owner)).map((table) => `${table} is not what the rows add up to`),
      ...(await this.#viewed(after)),
    ]
    this.#states = after
    this.#imports = imports.after
    this.#lastActivity = activity.at(-1)?.id ?? this.#lastActivity
    if (faults.length > 0) throw new Error(`${name} on ${today}${refusal ? ` (${refusal})` : ''}: ${faults.join('; ')}`)
  }

  /** What the calls say of each contract, and of all. */
  async #viewed(states: States): Promise<string[]> {
    const reader = requireReader(this.world.request)
    const faults = faultsOfFigures(states, await readDashboard(reader, 50), this.world.day())
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
