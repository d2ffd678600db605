import { z } from 'zod'
import { whereIs } from './lists.ts'
import { parse } from './params.ts'
import { StripeProblem } from './problem.ts'
import { lineItemsOf } from './session-line-items.ts'
import { findAny, findStored, listAll } from './store.ts'
import type { Transaction } from './transaction.ts'

const DEEPEST = 4
const Expand = z.object({ expand: z.array(z.string().min(1)).max(20).default([]) })

type Node = Record<string, unknown>

/** The `expand` of a form, and the form without it. */
export function splitExpand(form: Node): { paths: string[]; rest: Node } {
  const { expand, ...rest } = form
  return { paths: parse(Expand, { expand }).expand, rest }
}

/** Puts whole objects in place of the ids that the paths lead to. */
export async function expanded(tx: Transaction, answer: object, paths: readonly string[]): Promise<object> {
  if (paths.length === 0) return answer
  const copy: object = structuredClone(answer)
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > DEEPEST)
      throw new StripeProblem(400, `You cannot expand more than ${DEEPEST} levels of a property (${path}).`)
    await expandAlong(tx, copy, steps)
  }
  return copy
}

async function expandAlong(tx: Transaction, node: unknown, [step, ...rest]: string[]): Promise<void> {
  if (step === undefined || node === null) return
  if (Array.isArray(node)) {
    for (const element of node) await expandAlong(tx, element, [step, ...rest])
    return
  }
  if (!isNode(node)) throw cannotExpand(step)
  node[step] = await valueAt(tx, node, step)
  await expandAlong(tx, node[step], rest)
}

async function valueAt(tx: Transaction, node: Node, step: string): Promise<unknown> {
  const value = node[step] ?? (await leftOut(tx, node, step))
  if (value === undefined) throw cannotExpand(step)
  if (typeof value !== 'string') return value
  const object = await findAny(tx, value)
  if (!object) throw cannotExpand(step)
  return object
}

/** Lists that an object shows only when asked. */
async function leftOut(tx: Transaction, node: Node, step: string): Promise<object | null | undefined> {
  const id = String(node.id)
  if (node.object === 'checkout.session' && step === 'line_items') {
    const session = await findStored(tx, 'checkout.session', id)
    return session ? lineItemsOf(tx, session) : undefined
  }
  if (node.object === 'customer' && step === 'subscriptions') {
    const subscriptions = await listAll(tx, 'subscription', whereIs(['customer'], id))
    const data = subscriptions.filter(({ status }) => status !== 'canceled')
    return { object: 'list', data, has_more: false, url: `/v1/customers/${id}/subscriptions` }
  }
  return step in node ? null : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function cannotExpand(step: string): StripeProblem {
  return new StripeProblem(400, `This property cannot be expanded (${step}).`, { param: 'expand' })
}
