import { hasLink, isSameOffer, offerOf } from './answer-rules.ts'
import { fault } from './fault.ts'
import { addressOf, dayAt, type Model, type ModelContract, type ModelLink, type Receipt, type Row } from './model.ts'

const LINK = /\/answer\/(\d+\.a\d+\.[\w-]{43})/g
const ASKING = new Set(['reminder', 'follow_up', 'manual', 'notice'])

/**
 * Notes the links of an email that was received, by which its reader can answer later. It has one for each contract that its
 * messages remind of, and none where nothing can be answered.
 */
export function noteLinks(model: Model, receipt: Receipt, rows: Row[]): void {
  const asked = new Map<ModelContract, Row>()
  for (const row of rows) {
    const contract = model.contracts.get(row.contractId ?? 0)
    if (!contract || row.recipient !== 'customer' || !ASKING.has(row.kind)) continue
    if (hasLink(contract, dayAt(receipt.at, contract.account.timeZone))) asked.set(contract, row)
  }
  // A contract that the email says has been renewed is not asked about.
  for (const { kind, contractId } of rows)
    for (const contract of asked.keys())
      if (kind === 'confirmation' && contract.id === contractId) asked.delete(contract)
  const found = linksIn(receipt.text)
  if (found.length !== asked.size)
    fault(model, `mail ${receipt.messageId}: has ${found.length} links, not ${asked.size}`, rows[0]?.contractId)
  for (const { token, text } of found) {
    const contract = asked.size === 1 ? [...asked.keys()][0] : contractIn(text, [...asked.keys()])
    const row = contract && asked.get(contract)
    if (row) noteLink(model, { token, contract, row, at: receipt.at })
  }
}

interface Found {
  token: string
  /** What precedes it, up to the link before. */
  text: string
}

function linksIn(text: string): Found[] {
  let from = 0
  return [...text.matchAll(LINK)].map(({ index, 0: { length }, 1: token = '' }) => {
    const before = text.slice(from, index)
    from = index + length
    return { token, text: before }
  })
}

/** The contract whose amount stands last in a text; none if two have the same. */
function contractIn(text: string, contracts: ModelContract[]): ModelContract | undefined {
  const places = contracts.map((contract) => ({ contract, place: text.lastIndexOf(`$${amountOf(contract)}.00 `) }))
  const [first, second] = places.toSorted((one, other) => other.place - one.place)
  return first && first.place >= 0 && first.place !== second?.place ? first.contract : undefined
}

function amountOf({ amount }: ModelContract): string {
  return amount.toLocaleString('en-US')
}

interface Noted {
  token: string
  contract: ModelContract
  row: Row
  at: number
}

function noteLink(model: Model, { token, contract, row, at }: Noted): void {
  const { links, linksOf } = model.answers
  const { contactId } = row
  const address = addressOf(contract, row) ?? ''
  const offer = offerOf(contract)
  const isFor = (link: ModelLink) => link.contactId === contactId && link.address === address
  const known = links.get(token)
  if (known) {
    known.at = at
    if (known.contract !== contract || !isFor(known) || !isSameOffer(known.offer, offer) || known.isRevoked)
      fault(model, `contract ${contract.id}: a link of another offer was sent again`, contract.id)
    return
  }
  const others = linksOf.get(contract.id) ?? []
  if (others.some((link) => isFor(link) && isSameOffer(link.offer, offer) && !link.isRevoked))
    fault(model, `contract ${contract.id}: got a second link for the same offer`, contract.id)
  const link = { token, contract, contactId, address, offer, isRevoked: false, at, opened: null }
  links.set(token, link)
  linksOf.set(contract.id, [...others, link])
}
