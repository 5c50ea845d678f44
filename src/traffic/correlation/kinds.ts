/**
 * What a place in a message names, by what the protocol calls it: `orderId` is an order wherever it stands, and an `id`
 * is of whatever it stands in. Values alone never say: a `42` may be a table, a price or a customer.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import { meaningOf, normalKey } from '../redaction/keys.ts'
import { ownKindOf, type OwnKind } from './own-kinds.ts'
import type { Frame } from './json-text.ts'
import { identifierKinds, type IdentifierKind } from './identifier-kind.ts'

/** Known to both sides before they speak: who they are, what is on the menu, what stands in the room. */
export const sharedKinds: ReadonlySet<IdentifierKind> = new Set([
  'merchant',
  'client',
  'sku',
  'place',
  'program',
  'reward',
])
export const secretKinds: ReadonlySet<IdentifierKind> = new Set(['token', 'secret', 'signature'])

/** By name, in lower case and without punctuation. */
const named: Readonly<Record<string, IdentifierKind>> = {
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

/** What an `id` is of, by what it stands in. */
const within: Readonly<Record<string, IdentifierKind>> = {
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

const secretOfClass: Readonly<Record<string, IdentifierKind>> = {
  token: 'token',
  secret: 'secret',
  signature: 'signature',
}

interface Name {
  readonly kind?: IdentifierKind
  readonly plain: string
  /** It says that it holds an identifier, without saying of what. */
  readonly isId: boolean
  /** It tells about a person, or is text for people: nothing in it is an identifier. */
  readonly isPersonal: boolean
}

/** Objects may be keyed by ids, so what is remembered has a bound. */
const known = new Map<string, Name>()
const mostKnown = 2000
const looksLikeId =
  /(?:^|[_\-. ])(?:ids?|uuid|ref)$|[a-z\d](?:I[dD]s?|Uuid|UUID|Ref)$|^(?:id|uuid)$/

function nameOf(name: string): Name {
  const before = known.get(name)
  if (before) return before
  const plain = normalKey(name)
  const meaning = meaningOf(name)
  const classId = meaning.always?.id ?? meaning.ofPerson?.id
  const kind = Object.hasOwn(named, plain) ? named[plain] : secretOfClass[meaning.always?.id ?? '']
  const fresh: Name = {
    plain,
    isId: looksLikeId.test(name),
    isPersonal: classId !== undefined && kind === undefined,
    ...(kind ? { kind } : {}),
  }
  if (known.size >= mostKnown) known.clear()
  known.set(name, fresh)
  return fresh
}

/** What a place says of the value in it. */
export interface Said {
  /** The protocol says what it names. */
  readonly kind?: IdentifierKind
  readonly isId: boolean
  readonly isPersonal: boolean
}

const nothing: Said = { isId: false, isPersonal: false }
const asId = new Map<IdentifierKind, Said>(
  identifierKinds.map((kind) => [kind, { kind, isId: true, isPersonal: false }]),
)
const saidOf = (kind: IdentifierKind): Said => asId.get(kind) ?? nothing

/** Accounts of Loyalty go by the same name as those of tables. */
const inOperation = (kind: IdentifierKind, own: OwnKind | undefined): IdentifierKind =>
  kind === 'account' && own?.loyalty ? 'loyalty-account' : kind

/** A parameter of the path or the query, a field of a form. */
export function kindOfName(name: string, operation: OperationId | undefined): Said {
  const own = ownKindOf(operation)
  const { kind, plain, isId, isPersonal } = nameOf(name)
  if (kind) return saidOf(inOperation(kind, own))
  if (plain === 'id' && own) return saidOf(own.kind)
  return isId ? { isId, isPersonal } : nothing
}

/** The name of the list or object that holds the innermost name; '' for the document itself. */
function heldBy(frames: readonly Frame[], below: number): string {
  for (let place = below - 1; place >= 0; place--) {
    const frame = frames[place]
    if (frame && !frame.list) return frame.key
  }
  return ''
}

/** A record of the operation's own kind: the document, a list of them, or what an envelope holds. */
function isRecord(frames: readonly Frame[], depth: number, own: OwnKind): boolean {
  const names = frames.slice(0, depth).filter(({ list }) => !list)
  const [outer] = names
  if (!outer) return true
  if (names.length > 1) return false
  if (own.envelopes.includes(outer.key)) return true
  // A batch begins with its items; an order has items of its own.
  return outer.key === 'items' && own.listed && (own.kind !== 'order' || outer.first === 'items')
}

/** A value of a JSON document. */
export function kindAt(frames: readonly Frame[], operation: OperationId | undefined): Said {
  let depth = frames.length - 1
  while (depth >= 0 && frames[depth]?.list) depth--
  const own = ownKindOf(operation)
  // A bare list of texts: the events of an acknowledgment.
  if (depth < 0) return own?.bare === true ? saidOf(own.kind) : nothing
  const name = frames[depth]?.key ?? ''
  const { kind, plain, isId, isPersonal } = nameOf(name)
  const inList = depth < frames.length - 1
  if (kind) return saidOf(inOperation(kind, own))
  if (inList && plain === 'items') return saidOf('item')
  if (plain !== 'id' && plain !== 'uuid') return isId || isPersonal ? { isId, isPersonal } : nothing
  if (own && isRecord(frames, depth, own)) return saidOf(own.kind)
  const holder = normalKey(heldBy(frames, depth))
  const held = Object.hasOwn(within, holder) ? within[holder] : undefined
  return held ? saidOf(inOperation(held, own)) : { isId: true, isPersonal: false }
}
