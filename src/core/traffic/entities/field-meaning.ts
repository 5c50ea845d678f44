/**
 * Which kind of identifier a field holds, by its name and the object that contains it: `orderId` is an order anywhere,
 * an `id` belongs to its container. Never by the value: a `42` may be a table, a price or a customer.
 */
import { compact } from '../../base/compact.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import { keyMeaningOf, normaliseKey } from '../redaction/keys.ts'
import { plainIdKindOf, type PlainIdKind } from './plain-id-kinds.ts'
import type { JsonPathFrame } from './edit-json.ts'
import { identifierKinds, type IdentifierKind, isIdentifierName } from './identifier-kind.ts'
import { memoise } from '../memoise.ts'

/** Known to both sides from configuration: parties, menu, places. */
export const sharedKinds: ReadonlySet<IdentifierKind> = new Set([
  'merchant',
  'client',
  'sku',
  'place',
  'program',
  'reward',
])
export const secretKinds: ReadonlySet<IdentifierKind> = new Set(['token', 'secret', 'signature'])

/** By field name, in lower case and without punctuation. */
const kindByName: Readonly<Record<string, IdentifierKind>> = {
  orderid: 'order',
  orderids: 'order',
  relatedorderid: 'order',
  orderexternalcode: 'order-code',
  eventid: 'event',
  eventids: 'event',
  itemid: 'item',
  itemids: 'item',
  orderitemid: 'item',
  transferreditemids: 'item',
  outofstockitems: 'item',
  invaliditems: 'item',
  targetid: 'item',
  deliveryid: 'delivery',
  quoteid: 'quote',
  courierid: 'courier',
  deliverypersonid: 'courier',
  driverid: 'courier',
  accountid: 'account',
  accountids: 'account',
  sourceaccountid: 'account',
  targetaccountid: 'account',
  paymentid: 'payment',
  paymentids: 'payment',
  documentid: 'document',
  customerid: 'customer',
  customerids: 'customer',
  customerref: 'customer',
  leadid: 'lead',
  reviewid: 'review',
  loyaltyaccountid: 'loyalty-account',
  redemptionid: 'redemption',
  transactionid: 'transaction',
  couponid: 'coupon',
  programid: 'program',
  rewardid: 'reward',
  merchantid: 'merchant',
  merchantids: 'merchant',
  storeid: 'merchant',
  clientid: 'client',
  sourceappid: 'client',
  appid: 'client',
  participantid: 'client',
  externalcode: 'sku',
  sku: 'sku',
  productid: 'sku',
  optionid: 'sku',
  optiongroupid: 'sku',
  itemofferid: 'sku',
  xrequestid: 'request',
  requestid: 'request',
  idempotencykey: 'request',
  xidempotencykey: 'request',
  correlationid: 'receipt',
}

/** The kind of a plain `id`, by the name of its container. */
const kindByContainer: Readonly<Record<string, IdentifierKind>> = {
  order: 'order',
  orders: 'order',
  items: 'item',
  item: 'item',
  options: 'sku',
  merchant: 'merchant',
  merchants: 'merchant',
  store: 'merchant',
  customer: 'customer',
  customers: 'customer',
  account: 'account',
  accounts: 'account',
  delivery: 'delivery',
  deliveries: 'delivery',
  courier: 'courier',
  deliveryperson: 'courier',
  payments: 'payment',
  payment: 'payment',
  documents: 'document',
  lead: 'lead',
  leads: 'lead',
  review: 'review',
  reviews: 'review',
  event: 'event',
  events: 'event',
  coupon: 'coupon',
  coupons: 'coupon',
  program: 'program',
  programs: 'program',
  reward: 'reward',
  rewards: 'reward',
  transactions: 'transaction',
  originchannel: 'place',
  dispatch: 'place',
  seat: 'place',
}

const kindByRedactionClass: Readonly<Record<string, IdentifierKind>> = {
  token: 'token',
  secret: 'secret',
  signature: 'signature',
}

interface AnalysedName {
  readonly kind?: IdentifierKind
  readonly plain: string
  /** The name denotes an identifier of no particular kind. */
  readonly isId: boolean
  /** Personal data or prose: no value in it is an identifier. */
  readonly isPersonal: boolean
}

const analyseName = memoise(2000, (name): AnalysedName => {
  const plain = normaliseKey(name)
  const meaning = keyMeaningOf(name)
  const classId = meaning.always?.id ?? meaning.ofPerson?.id
  const kind = Object.hasOwn(kindByName, plain)
    ? kindByName[plain]
    : kindByRedactionClass[meaning.always?.id ?? '']
  return {
    plain,
    isId: isIdentifierName(name),
    isPersonal: classId !== undefined && kind === undefined,
    ...compact({ kind }),
  }
})

/** What a field name says about its value. */
export interface FieldMeaning {
  /** Kind of identifier, where the protocol defines it. */
  readonly kind?: IdentifierKind
  readonly isId: boolean
  readonly isPersonal: boolean
}

const noMeaning: FieldMeaning = { isId: false, isPersonal: false }
const meaningByKind = new Map<IdentifierKind, FieldMeaning>(
  identifierKinds.map((kind) => [kind, { kind, isId: true, isPersonal: false }]),
)
const meaningOfKind = (kind: IdentifierKind): FieldMeaning => meaningByKind.get(kind) ?? noMeaning

/** Loyalty accounts have the same field names as table accounts. */
const kindInOperation = (kind: IdentifierKind, own: PlainIdKind | undefined): IdentifierKind =>
  kind === 'account' && own?.loyalty ? 'loyalty-account' : kind

/** Meaning of a path or query parameter, or a form field. */
export function meaningOfName(name: string, operation: OperationId | undefined): FieldMeaning {
  const own = plainIdKindOf(operation)
  const { kind, plain, isId, isPersonal } = analyseName(name)
  if (kind) return meaningOfKind(kindInOperation(kind, own))
  if (plain === 'id' && own) return meaningOfKind(own.kind)
  return isId ? { isId, isPersonal } : noMeaning
}

/** The name of the list or object that holds the innermost key; '' for the document itself. */
function containerName(frames: readonly JsonPathFrame[], below: number): string {
  for (let place = below - 1; place >= 0; place--) {
    const frame = frames[place]
    if (frame && !frame.list) return frame.key
  }
  return ''
}

/**
 * Whether this object is a record of the operation's own kind: the document, a member of a list of them, or of an
 * envelope.
 */
function isRecord(frames: readonly JsonPathFrame[], depth: number, own: PlainIdKind): boolean {
  const names = frames.slice(0, depth).filter(({ list }) => !list)
  const [outer] = names
  if (!outer) return true
  if (names.length > 1) return false
  if (own.envelopes.includes(outer.key)) return true
  // A batch has `items` as its first key; an order also has `items`, but not first.
  return outer.key === 'items' && own.listed && (own.kind !== 'order' || outer.first === 'items')
}

/** Meaning of a value in a JSON document. */
export function meaningAt(
  frames: readonly JsonPathFrame[],
  operation: OperationId | undefined,
): FieldMeaning {
  let depth = frames.length - 1
  while (depth >= 0 && frames[depth]?.list) depth--
  const own = plainIdKindOf(operation)
  // A bare list of strings: the event ids of an acknowledgment.
  if (depth < 0) return own?.bare === true ? meaningOfKind(own.kind) : noMeaning
  const name = frames[depth]?.key ?? ''
  const { kind, plain, isId, isPersonal } = analyseName(name)
  const inList = depth < frames.length - 1
  if (kind) return meaningOfKind(kindInOperation(kind, own))
  if (inList && plain === 'items') return meaningOfKind('item')
  if (plain !== 'id' && plain !== 'uuid')
    return isId || isPersonal ? { isId, isPersonal } : noMeaning
  if (own && isRecord(frames, depth, own)) return meaningOfKind(own.kind)
  const holder = normaliseKey(containerName(frames, depth))
  const held = Object.hasOwn(kindByContainer, holder) ? kindByContainer[holder] : undefined
  return held ? meaningOfKind(kindInOperation(held, own)) : { isId: true, isPersonal: false }
}
