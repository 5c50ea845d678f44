/**
 * Records the examples of OpenAPI documents: the bodies of real exchanges of sessions with a fixed seed, one in V2 and one
 * in V1. What our counterparts do not call by themselves is called here.
 */
import { AnyBody } from '../../src/core/protocol/json-value.ts'
import { operation, operations, type OperationId } from '../../src/core/protocol/catalogue.ts'
import { fillPath, pathForParameters } from '../../src/core/protocol/operation.ts'
import { pathsInDialect, pathPrefixOf } from '../../src/core/protocol/dialects/paths.ts'
import { Conduct } from '../../src/core/protocol/conduct.ts'
import { dialect } from '../../src/core/protocol/dialects/catalogue.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import type { SessionEntityKind } from '../../src/core/session-api/entities.ts'
import type { Session } from '../../src/core/session-api/session.ts'

interface Bodies {
  readonly request?: unknown
  readonly response?: unknown
}

/** Bodies; by the role that served it, where they are about that role. */
type RecordedExample = Bodies | { readonly byHost: Readonly<Partial<Record<Role, Bodies>>> }

export type RecordedExamples = Readonly<Record<string, RecordedExample>>

interface ExampleCall {
  readonly from: Role
  readonly to: Role
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}

/** A list without entries, or a page of none, shows nothing. */
const isEmpty = (body: unknown): boolean =>
  Array.isArray(body)
    ? body.length === 0
    : typeof body === 'object' &&
      body !== null &&
      Object.values(body).some((value) => Array.isArray(value) && value.length === 0)

const size = (body: unknown): number => JSON.stringify(body ?? null).length

/** The better of two bodies: the shorter one of those that are not empty. */
function better(before: unknown, now: unknown): unknown {
  if (before === undefined || isEmpty(before) !== isEmpty(now))
    return before === undefined || isEmpty(before) ? (now ?? before) : before
  return now !== undefined && size(now) < size(before) ? now : before
}

function createRecorder(session: Session) {
  const found = new Map<string, Bodies>()
  session.onExchange(({ operation: id, to, request, reply }: Exchange) => {
    if (id === undefined || !reply || reply.status >= 300) return
    const key = isAboutHost(id) ? `${id} ${to.role}` : id
    const before = found.get(key)
    const body = better(before?.request, jsonOf(request.body))
    const answer = better(before?.response, jsonOf(reply.body))
    found.set(key, {
      ...(body === undefined ? {} : { request: body }),
      ...(answer === undefined ? {} : { response: answer }),
    })
  })
  return found
}

/** What a role says of itself: its manifest, its merchants. */
const isAboutHost = (id: OperationId): boolean => operation(id).capability === 'discovery'

function exampleIn(found: ReadonlyMap<string, Bodies>, id: OperationId): RecordedExample {
  if (!isAboutHost(id)) return found.get(id) ?? {}
  const byHost = operation(id).hosts.flatMap((host) => {
    const bodies = found.get(`${id} ${host}`)
    return bodies ? [[host, bodies] as const] : []
  })
  return { byHost: Object.fromEntries(byHost) }
}

/** Calls an operation of a role that the session plays, with a token of the caller; throws unless it succeeds. */
async function callOf(session: Session, conduct: Conduct) {
  const tokens = new Map<string, string>()
  const tokenPath = (to: Role): string =>
    pathsInDialect(operation('issueToken'), to, conduct)[0] ?? ''
  async function tokenOf({ from, to }: ExampleCall): Promise<string> {
    const known = tokens.get(`${from} ${to}`)
    if (known !== undefined) return known
    const answer = await session.fetch(
      new Request(`${session.urls.get(to)}${tokenPath(to)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: `sparring-${from}`,
          client_secret: `secret-of-${from}`,
        }),
      }),
    )
    const { access_token: token } = (await answer.json()) as { readonly access_token: string }
    tokens.set(`${from} ${to}`, token)
    return token
  }
  return async (id: OperationId, call: ExampleCall): Promise<unknown> => {
    const row = operation(id)
    const { to, params = {}, query, body } = call
    const path = `${pathPrefixOf(row, conduct)}${row.basePath?.[to] ?? ''}${fillPath(pathForParameters(row, params), params)}`
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    const answer = await session.fetch(
      new Request(`${session.urls.get(to)}${path}${search}`, {
        method: row.method,
        headers: {
          authorization: `Bearer ${await tokenOf(call)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${id} is answered with ${answer.status}: ${text}`)
    return jsonOf(text)
  }
}

const fixed = { listen: false, clock: 'virtual', automatic: false, seed: 42 } as const

async function newOrder(session: Session, type: 'DELIVERY' | 'TAKEOUT' | 'INDOOR', merchant = '') {
  const made = await session.createOrder({ type, ...(merchant === '' ? {} : { merchant }) })
  if (!made.ok) throw new Error(made.error.message)
  return made.value.orderId
}

async function idsOf(session: Session, kind: SessionEntityKind): Promise<readonly string[]> {
  const { entities } = await session.look({ entities: { kind, limit: 100 } })
  return entities.map(({ id }) => id)
}

const first = (ids: readonly string[]): string => {
  const [id] = ids
  if (id === undefined) throw new Error('the session has none of these')
  return id
}

type Call = Awaited<ReturnType<typeof callOf>>
const toApplication = { from: 'software-service', to: 'ordering-application' } as const
const toSoftware = { from: 'ordering-application', to: 'software-service' } as const
const toPlatform = { from: 'ordering-application', to: 'delivery-platform' } as const
const toCrm = { from: 'ordering-application', to: 'crm' } as const

async function callOrders(session: Session, call: Call): Promise<void> {
  const orderId = await newOrder(session, 'DELIVERY')
  await session.advance(4000)
  const params = { orderId }
  const { items } = (await call('getOrder', { ...toApplication, params })) as {
    readonly items: readonly { readonly id: string }[]
  }
  await call('patchOrderDetails', {
    ...toApplication,
    params,
    body: { observations: 'no cutlery' },
  })
  await call('sendOrderTracking', {
    ...toApplication,
    params,
    body: {
      deliveryTrackingInfo: {
        event: { type: 'PICKUP_ONGOING', datetime: '2026-01-05T15:00:00Z' },
        eta: { deliveryEtaInMinutes: 25 },
        deliveryPerson: { name: 'Ana' },
        geoLocalization: { latitude: -23.56, longitude: -46.64 },
      },
    },
  })
  await call('cancelOrderItem', {
    ...toApplication,
    params: { orderId, itemId: first(items.map(({ id }) => id)) },
    body: { reason: 'out of stock', code: 'UNAVAILABLE_ITEM', mode: 'MANUAL', quantity: 1 },
  })
  await call('requestCancellation', {
    ...toApplication,
    params,
    body: { reason: 'no power', code: 'SYSTEMIC_ISSUES', mode: 'MANUAL' },
  })
}

async function callDeliveries(session: Session, call: Call): Promise<void> {
  const { deliveries } = await waitForDelivery(session)
  const orderId = first(deliveries)
  const params = { orderId }
  await call('getDelivery', { ...toPlatform, params })
  const description = 'nobody opens'
  const progress = {
    setDeliveryReadyForPickup: { observation: 'two bags' },
    setDeliveryCollected: { pickupDate: '2026-01-05T15:00:00Z', volumePicked: 2 },
  } as const
  await call('setDeliveryReadyForPickup', {
    ...toPlatform,
    params,
    body: progress.setDeliveryReadyForPickup,
  })
  await call('setDeliveryCollected', { ...toPlatform, params, body: progress.setDeliveryCollected })
  await session.advance(2000)
  await call('reportDeliveryProblem', {
    ...toPlatform,
    params,
    body: { problemCode: 'NOBODY_TO_RECEIVE', description, recoverable: true },
  })
  await call('setDeliveryDelivered', {
    ...toPlatform,
    params,
    body: { finishDate: '2026-01-05T15:20:00Z' },
  })
  const second = await waitForDelivery(session)
  await call('cancelDelivery', {
    ...toPlatform,
    params: { orderId: first(second.deliveries) },
    body: { cancellationCode: 'CUSTOMER_CANCELLED', reason: 'the customer does not want it' },
  })
}

/** A new DELIVERY order, until its courier is on the way to the store. */
async function waitForDelivery(session: Session) {
  const orderId = await newOrder(session, 'DELIVERY')
  for (let seconds = 0; seconds < 120; seconds++) {
    await session.advance(1000)
    const { entities } = await session.look({ entities: { kind: 'delivery', limit: 100 } })
    const mine = entities.filter((each) => each.orderId === orderId && each.status === 'ASSIGNED')
    if (mine.length > 0) return { deliveries: [orderId] }
  }
  throw new Error('no courier comes')
}

interface Listed {
  readonly accountId: string
  readonly items: readonly { readonly itemId: string }[]
}

async function callAccounts(session: Session, call: Call): Promise<void> {
  const { menu } = await session.look({ menu: { limit: 1 } })
  const merchant = first((menu?.merchants ?? []).map(({ id }) => id))
  const [closed = ''] = (
    await session.look({ entities: { kind: 'account', limit: 100, status: 'CLOSED' } })
  ).entities.map(({ id }) => id)
  await call('listAccountPayments', { ...toSoftware, params: { accountId: closed } })
  await call('listAccountFiscalDocuments', { ...toSoftware, params: { accountId: closed } })
  const opened: string[] = []
  for (let table = 0; table < 2; table++) {
    const before = await idsOf(session, 'account')
    await newOrder(session, 'INDOOR', merchant)
    await session.advance(3000)
    opened.push(first((await idsOf(session, 'account')).filter((id) => !before.includes(id))))
  }
  const [accountId = '', targetAccountId = ''] = opened
  const params = { accountId }
  const { items } = (await call('getAccountById', { ...toSoftware, params })) as Listed
  const itemId = first(items.map((each) => each.itemId))
  await call('transferAccountContent', {
    ...toSoftware,
    params,
    body: { itemIds: [itemId], targetAccountId, reason: 'they moved to another table' },
  })
  await call('cancelAccountItem', {
    ...toSoftware,
    params: { accountId: targetAccountId, itemId },
    body: { reason: 'out of stock' },
  })
  await call('preCloseAccount', { ...toSoftware, params, body: { requestedBy: 'table 7' } })
  await call('unlockAccount', { ...toSoftware, params, body: { reason: 'one more coffee' } })
}

async function callCustomers(session: Session, call: Call): Promise<void> {
  const customerId = first(await idsOf(session, 'customer'))
  const reviewId = first(await idsOf(session, 'review'))
  await call('getCustomerById', { ...toCrm, params: { id: customerId } })
  await call('getReviewById', { ...toCrm, params: { id: reviewId } })
  const { items } = (await call('listOrders', { ...toCrm, query: { pageSize: '1' } })) as {
    readonly items: readonly { readonly id: string }[]
  }
  await call('getOrderById', { ...toCrm, params: { orderId: first(items.map(({ id }) => id)) } })
  await call('receiveCustomerEventByBinding', {
    ...toCrm,
    body: {
      event: {
        eventId: 'evt-1',
        eventType: 'customer.updated',
        entityType: 'customer',
        occurredAt: '2026-01-05T15:00:00Z',
        payload: { customerId },
      },
    },
  })
  for (const list of [
    'listCustomers',
    'getCustomers',
    'listLeads',
    'getLeads',
    'getOrdersForCRM',
    'listReviews',
    'getReviews',
  ] as const)
    await call(list, { ...toCrm, query: { pageSize: '1' } })
}

async function callLoyalty(session: Session, call: Call): Promise<void> {
  const program = { id: 'gold', name: 'Gold', ownerType: 'store' }
  await call('upsertLoyaltyPrograms', { ...toCrm, body: program })
  await call('getLoyaltyProgramById', { ...toCrm, params: { programId: program.id } })
  const accountId = first(await idsOf(session, 'loyalty-account'))
  const adjusted = await session.submit({ kind: 'loyalty.adjust', accountId, points: 1000 })
  if (!adjusted.ok) throw new Error(adjusted.error.message)
  const account = (await call('getLoyaltyAccountById', { ...toCrm, params: { accountId } })) as {
    readonly programId: string
  }
  const { items } = (await call('listLoyaltyRewards', {
    ...toCrm,
    query: { programId: account.programId },
  })) as { readonly items: readonly { readonly id: string }[] }
  await call('createLoyaltyRedemption', {
    ...toCrm,
    body: { accountId, rewardId: first(items.map(({ id }) => id)) },
  })
  await session.advance(5000)
  const { entities } = await session.look({
    entities: { kind: 'coupon', limit: 100, status: 'available' },
  })
  await call('useLoyaltyCoupon', {
    ...toCrm,
    params: { couponId: first(entities.map(({ id }) => id)) },
    body: {},
  })
  await call('listLoyaltyCoupons', { ...toCrm, query: { pageSize: '1' } })
}

async function recordV2() {
  await using session = await openSession({
    ...fixed,
    conduct: { furtherOperations: ['validateDeliveryCode', 'patchOrderDetails'] },
    counterparts: {
      'ordering-application': { channel: 'both', orders: { every: 4000, limit: 24 } },
      crm: { mode: 'hybrid' },
    },
  })
  const recorder = createRecorder(session)
  await session.advance(900_000)
  const call = await callOf(session, Conduct.parse({}))
  await callOrders(session, call)
  await callDeliveries(session, call)
  await callAccounts(session, call)
  await callCustomers(session, call)
  await callLoyalty(session, call)
  return recorder
}

interface V1Customer {
  readonly customer: { readonly phone: { readonly number: string } }
}

async function recordV1() {
  await using session = await openSession({
    ...fixed,
    dialect: 'v1',
    counterparts: {
      'ordering-application': { channel: 'both', orders: { every: 4000, limit: 6 } },
    },
  })
  const recorder = createRecorder(session)
  await session.advance(300_000)
  const call = await callOf(session, Conduct.parse(dialect('v1').conduct))
  await call('getOrderingAppVersionsV1', toApplication)
  await call('getMerchantVersionsV1', toSoftware)
  await call('onboardMerchantV1', {
    ...toApplication,
    query: { merchantId: 'loja-1' },
    body: { ordersWebhookURL: 'https://pos.example.com/v1/newEvent' },
  })
  await call('updateMerchantV1', { ...toApplication, body: { merchantStatus: 'AVAILABLE' } })
  await call('getMerchantStatusV1', { ...toApplication, query: { merchantId: 'loja-1' } })
  const orderId = await newOrder(session, 'DELIVERY')
  await session.advance(3000)
  const params = { orderId }
  await call('setOrderDetailsV1', {
    ...toApplication,
    params,
    body: { observations: 'no cutlery' },
  })
  await call('sendOrderTrackingV1', {
    ...toApplication,
    params,
    body: {
      deliveryTrackingInfo: {
        event: { type: 'DELIVERY_ONGOING', datetime: '2026-01-05T15:00:00Z' },
      },
    },
  })
  const { customer } = (await call('getOrderV1', { ...toApplication, params })) as V1Customer
  const deliveryCode = customer.phone.number.slice(-4)
  await call('validateCodeV1', { ...toApplication, params, query: { deliveryCode } })
  await call('requestCancellationV1', {
    ...toApplication,
    params,
    body: { reason: 'no power', code: 'SYSTEMIC_ISSUES', mode: 'AUTO' },
  })
  const asked = await newOrder(session, 'DELIVERY')
  const offered = await session.submit({ kind: 'handshake.offer', orderId: asked })
  if (!offered.ok) throw new Error(offered.error.message)
  await call('denyCancellationV1', {
    ...toApplication,
    params: { orderId: asked },
    body: { reason: 'it is cooked', code: 'DISH_ALREADY_DONE' },
  })
  return recorder
}

/** The ids of operations without an example, of those that have a body. */
export const operationsWithoutExample = (examples: RecordedExamples): readonly string[] => {
  const handlers = new Set(
    Object.keys(examples).map((id) => operation(id as OperationId).handler.name),
  )
  return operations
    .filter(({ request, response }) => (request?.() ?? AnyBody) !== AnyBody || response)
    .filter(({ id, handler }) => !(id in examples) && !handlers.has(handler.name))
    .map(({ id }) => id)
}

/** All examples, in the order of the catalogue. */
export async function recordExamples(): Promise<RecordedExamples> {
  const found = new Map([...(await recordV2()), ...(await recordV1())])
  return Object.fromEntries(
    operations.flatMap(({ id }) => {
      const example = exampleIn(found, id)
      return Object.keys(example).length > 0 ? [[id, example] as const] : []
    }),
  )
}
