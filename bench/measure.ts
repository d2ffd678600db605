import { openHttpClient, type HttpAnswer, type HttpClient } from './http-client.ts'

/** What one server is asked over and over. */
export interface Candidate {
  port: number
  /** The bytes to send. */
  request: string
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** The value that this share of all lies below. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * Milliseconds of so many answers of each candidate, by its name. They are asked in turn, so that whatever else the
 * machine does falls on all of them alike; the first answers, a fifth more, are not counted.
 */
export async function interleave<Name extends string>(
  candidates: Record<Name, Candidate>,
  times: number,
): Promise<(name: Name) => number[]> {
  const turns = await inTurns(candidates)
  for (let round = -Math.ceil(times / 5); round < times; round += 1) {
    for (const { client, candidate, figures } of round % 2 === 0 ? turns : turns.toReversed()) {
      const milliseconds = await timeOne(client, candidate.request)
      if (round >= 0) figures.push(milliseconds)
    }
  }
  return byName(turns)
}

export interface Load {
  connections: number
  /** How long one turn lasts. */
  milliseconds: number
  rounds: number
}

/** Responses per second of each candidate, one figure per round; the first round is not counted. */
export async function pressInTurn<Name extends string>(
  candidates: Record<Name, Candidate>,
  load: Load,
): Promise<(name: Name) => number[]> {
  const turns = await inTurns(candidates)
  for (let round = -1; round < load.rounds; round += 1) {
    for (const { candidate, figures } of turns) {
      const rate = await press(candidate, load)
      if (round >= 0) figures.push(rate)
    }
  }
  return byName(turns)
}

export function refuseFailure({ status, body }: HttpAnswer): void {
  if (status >= 300) throw new Error(`Answered ${status}: ${body}`)
}

interface Turn {
  name: string
  candidate: Candidate
  client: HttpClient
  figures: number[]
}

async function inTurns(candidates: Record<string, Candidate>): Promise<Turn[]> {
  return Promise.all(
    Object.entries(candidates).map(async ([name, candidate]) => {
      return { name, candidate, client: await openHttpClient(candidate.port), figures: [] }
    }),
  )
}

function byName(turns: Turn[]): (name: string) => number[] {
  for (const { client } of turns) client.close()
  const figures = new Map(turns.map((turn) => [turn.name, turn.figures]))
  return (name) => figures.get(name) ?? []
}

async function timeOne(client: HttpClient, request: string): Promise<number> {
  const begun = performance.now()
  const answer = await client.send(request)
  const took = performance.now() - begun
  refuseFailure(answer)
  return took
}

async function press({ port, request }: Candidate, { connections, milliseconds }: Load): Promise<number> {
  const clients = await Promise.all(Array.from({ length: connections }, () => openHttpClient(port)))
  const begun = performance.now()
  let answered = 0
  const work = async (client: HttpClient) => {
    while (performance.now() < begun + milliseconds) {
      refuseFailure(await client.send(request))
      answered += 1
    }
  }
  await Promise.all(clients.map(work))
  const took = performance.now() - begun
  for (const client of clients) client.close()
  return (answered * 1000) / took
}
