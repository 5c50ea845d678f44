/** Order documents that a service with a defect cannot read, though they are what the protocol lets a partner send. */
import { defect } from './defect.ts'

interface DocumentDefect {
  readonly summary: string
  readonly isUnreadable: (order: Members) => boolean
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** All members of a document, with those of what is in it. */
function* membersIn(value: unknown): Generator<readonly [key: string, value: unknown]> {
  if (!isMembers(value)) return
  for (const [key, each] of Object.entries(value)) {
    yield [key, each]
    yield* membersIn(each)
  }
}

const has =
  (fits: (key: string, value: unknown) => boolean) =>
  (order: Members): boolean =>
    [...membersIn(order)].some(([key, value]) => fits(key, value))

const itemsOf = ({ items }: Members): readonly Members[] =>
  Array.isArray(items) ? items.filter(isMembers) : []

const knownMethods = ['CREDIT', 'DEBIT', 'PIX', 'CASH', 'MEAL_VOUCHER', 'DIGITAL_WALLET']

const rows = {
  'needs-item-codes': {
    summary: 'cannot book an item without externalCode, and leaves its order alone',
    isUnreadable: (order) => itemsOf(order).some(({ externalCode }) => externalCode === undefined),
  },
  'needs-known-payments': {
    summary: 'has no account for a method of payment beyond the usual six',
    isUnreadable: has(
      (key, value) => key === 'method' && !knownMethods.some((each) => each === value),
    ),
  },
  'needs-whole-quantities': {
    summary: 'reads quantities as whole numbers, and fails at goods by weight',
    isUnreadable: (order) => itemsOf(order).some(({ quantity }) => !Number.isInteger(quantity)),
  },
  'has-short-columns': {
    summary: 'has columns of 120 characters, and cannot store a longer text',
    isUnreadable: has((_key, value) => typeof value === 'string' && value.length > 120),
  },
  'keeps-ids-as-numbers': {
    summary: 'reads ids of digits as numbers, and finds no order under what is left of them',
    isUnreadable: ({ id }) => /^\d+$/.test(String(id)) && String(Number(id)) !== id,
  },
  'needs-customers': {
    summary: 'cannot store an order without the name and phone of a customer',
    isUnreadable: ({ customer }) =>
      !isMembers(customer) ||
      customer['name'] === '' ||
      (isMembers(customer['phone']) && customer['phone']['number'] === ''),
  },
  'chokes-on-null': {
    summary: 'calls a method of what is null, and leaves the order alone',
    isUnreadable: has((_key, value) => value === null),
  },
  'knows-words-of-today': {
    summary: 'throws at a word that its list does not have',
    isUnreadable: has((_key, value) => typeof value === 'string' && value.startsWith('X_')),
  },
  'needs-one-spelling-of-times': {
    summary: 'reads times with a pattern that ends in .000Z alone',
    isUnreadable: ({ createdAt }) => !/\.\d{3}Z$/.test(String(createdAt)),
  },
} as const satisfies Record<string, DocumentDefect>

export type DocumentDefectName = keyof typeof rows
const names = Object.keys(rows) as readonly DocumentDefectName[]

/** An order that is never understood is never confirmed. */
export const documentDefects = Object.fromEntries(
  names.map((name) => [name, defect(rows[name].summary, 'CV-1')]),
) as Readonly<Record<DocumentDefectName, ReturnType<typeof defect>>>

/** Whether one of the defects that are switched on fails at this document. */
export const isUnreadable = (
  order: Members,
  wrong: (name: DocumentDefectName) => boolean,
): boolean => names.some((name) => wrong(name) && rows[name].isUnreadable(order))
