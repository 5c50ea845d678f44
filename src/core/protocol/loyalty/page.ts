/** Lists of Loyalty: the body of a page (C10), and the forms in which partners answer with one (CUS-UND-04, LOY-UND-01). */
import { z } from 'zod'
import { isUnknownRecord, type UnknownRecord } from '../unknown-record.ts'

/** The body of a paged list. A partner's may lack page numbers and total. */
export const loyaltyPageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: z.array(item),
    page: z.int().optional(),
    pageSize: z.int().optional(),
    total: z.int().optional(),
  })

/** The list of a body: bare, under items, or under a name of its own; undefined where there is none. */
export function listIn(body: unknown): readonly unknown[] | undefined {
  if (!isUnknownRecord(body)) return Array.isArray(body) ? body : undefined
  return [body['items'], ...Object.values(body)].find(Array.isArray)
}

/** Names under which partners give what a reward costs. */
export const costNames = [
  'cost',
  'pointsCost',
  'costInPoints',
  'pointsRequired',
  'requiredPoints',
  'points',
] as const

/** Other names of members of a record, by its kind. */
const otherNames = {
  program: { id: ['programId'] },
  reward: { id: ['rewardId'], cost: costNames },
  account: { id: ['accountId'] },
  transaction: { id: ['transactionId'], amount: ['points', 'value'] },
  coupon: { id: ['couponId'], code: ['couponCode'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
export type LoyaltyRecordKind = keyof typeof otherNames

/** A partner's record with the members of this kind under our names; those that have them already stay. */
export function withOurNames(value: unknown, kind: LoyaltyRecordKind): unknown {
  if (!isUnknownRecord(value)) return value
  const found = Object.entries<readonly string[]>(otherNames[kind]).flatMap(([name, others]) => {
    const type = name === 'id' || name === 'code' ? 'string' : 'number'
    const other = others.find((each) => typeof value[each] === type)
    return value[name] === undefined && other !== undefined ? [[name, value[other]]] : []
  })
  return { ...value, ...Object.fromEntries(found) } satisfies UnknownRecord
}

/** A partner's list as a page; what is no list stays as it is, and its schema names what is missing. */
export function pageIn(body: unknown, kind: LoyaltyRecordKind): unknown {
  const items = listIn(body)?.map((each) => withOurNames(each, kind))
  if (!items) return body
  return isUnknownRecord(body) ? { ...body, items } : { items }
}
