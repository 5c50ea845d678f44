/**
 * A scripted account host (Software Service), as a fetch handler. It is written by hand and shares no code with the
 * product, so common mistakes show. It records every call and returns its events for the test to push.
 */
import {
  createScriptedHost,
  type HostCall,
  hostManifest,
  type HostReply,
  refusal,
  type ScriptedHost,
} from './scripted-host.ts'

export interface HostedItem {
  itemId: string
  name: string
  quantity: number
  totalPrice: number
  status: string
}

export interface HostedAccount {
  accountId: string
  operationMode: string
  identifier: string
  status: string
  lastEvent: string
  openedAt: string
  orders: { orderId: string; createdAt: string }[]
  items: HostedItem[]
  payments: { paymentId: string; amount: number; methodInfo: unknown; paidAt: string }[]
  documents: { documentId: string; documentStatus: string }[]
}

export interface HostEvent {
  readonly eventId: string
  readonly eventType: string
  readonly occurredAt: string
  readonly [field: string]: unknown
}

export interface AccountHostOptions {
  /** Its Indoor capability block; no Indoor at all when null. */
  readonly indoor?: Readonly<Record<string, unknown>> | null
  /** Whether its manifest is available; evaluated per request. */
  readonly published?: () => boolean
  /** Whether it declares Orders; true by default. */
  readonly orders?: boolean
  /** Whether its accounts have ids. */
  readonly usesAccountId?: boolean
}

export interface AccountHost extends ScriptedHost<OperationName> {
  /** The names of the modifying calls, in order. */
  readonly acts: () => readonly string[]
  readonly accounts: ReadonlyMap<string, HostedAccount>
  /** Opens an account of 40.00 with two lines; returns its event. */
  readonly open: (accountId: string, more?: Partial<HostedAccount>) => HostEvent
  /** Creates and stores an account event. */
  readonly event: (
    accountId: string,
    eventType: string,
    more?: Record<string, unknown>,
  ) => HostEvent
  /** The events since the last call. */
  readonly news: () => readonly HostEvent[]
}

const operations = {
  get: 'GET /accounts',
  'pre-close': 'POST /accounts/(.+/)?pre-close',
  unlock: 'POST /accounts/(.+/)?unlock',
  close: 'POST /accounts/(.+/)?close',
  payments: 'GET /accounts/(.+/)?payments',
  pay: 'POST /accounts/(.+/)?payments',
  documents: 'GET /accounts/(.+/)?fiscal',
  fiscal: 'POST /accounts/(.+/)?fiscal',
  transfer: 'POST /accounts/(.+/)?transfers',
  'cancel-item': 'POST /accounts/(.+/)?items/{itemId}/cancel',
  'by-id': 'GET /accounts/[^/]+',
} as const

type OperationName = keyof typeof operations

const reads: ReadonlySet<string> = new Set(['get', 'by-id', 'payments', 'documents'])

const now = '2026-01-05T15:00:00.000Z'
const cents = (amount: number): number => Math.round(amount * 100) / 100

export function createAccountHost(options: AccountHostOptions = {}): AccountHost {
  const { usesAccountId = true, indoor = {} } = options
  const accounts = new Map<string, HostedAccount>()
  let fresh: HostEvent[] = []
  let counted = 0

  const totals = ({ items, payments }: HostedAccount) => {
    const active = items.filter(({ status }) => status !== 'CANCELLED')
    const itemsSubtotal = cents(active.reduce((sum, { totalPrice }) => sum + totalPrice, 0))
    const paid = cents(payments.reduce((sum, { amount }) => sum + amount, 0))
    return { itemsSubtotal, paid, due: cents(Math.max(0, itemsSubtotal - paid)) }
  }

  const view = ({ accountId, documents, ...account }: HostedAccount): unknown => ({
    ...(usesAccountId ? { accountId } : {}),
    ...account,
    totals: totals({ accountId, documents, ...account }),
    fiscal: { documentIssued: documents.some(({ documentStatus }) => documentStatus === 'ISSUED') },
  })

  const event: AccountHost['event'] = (accountId, eventType, more = {}) => {
    const account = accounts.get(accountId)
    if (account) account.lastEvent = eventType
    const made: HostEvent = {
      eventId: `${eventType}-${++counted}`,
      eventType,
      occurredAt: now,
      ...(usesAccountId ? { accountId } : {}),
      ...(usesAccountId || !account
        ? {}
        : { operationMode: account.operationMode, identifier: account.identifier }),
      ...more,
    }
    fresh.push(made)
    return made
  }

  /** The account of a call: by path, query or body. */
  function meant({ path, query, json }: HostCall): HostedAccount | undefined {
    const [, inPath] = /^\/accounts\/([^/]+)\//.exec(path) ?? []
    const selector = { ...json, ...query } as Record<string, string>
    const byId = accounts.get(inPath ?? '') ?? accounts.get(selector['accountId'] ?? '')
    if (byId && usesAccountId) return byId
    const there = [...accounts.values()].filter(
      (each) =>
        each.operationMode === selector['operationMode'] &&
        each.identifier === selector['identifier'],
    )
    return there.findLast(({ status }) => status !== 'CLOSED') ?? there.at(-1)
  }

  function move(account: HostedAccount, from: string, to: string, eventType: string): HostReply {
    if (account.status === to) return { status: 202, body: { status: 'ACCEPTED' } }
    if (account.status !== from) return refusal(409, 'INVALID_ACCOUNT_STATE')
    account.status = to
    event(account.accountId, eventType)
    return { status: 202, body: { status: 'ACCEPTED', correlationId: 'c' } }
  }

  function pay(account: HostedAccount, { json }: HostCall): HostReply {
    const { amount } = json as { amount: number | { value: number } }
    const decimal = typeof amount === 'number' ? amount : amount.value
    if (account.status === 'CLOSED') return refusal(409, 'INVALID_ACCOUNT_STATE')
    if (decimal > totals(account).due) return refusal(409, 'TOO_MUCH')
    const payment = {
      paymentId: `p-${++counted}`,
      amount: decimal,
      methodInfo: json['methodInfo'] ?? { method: json['method'] },
      paidAt: now,
    }
    account.payments.push(payment)
    event(account.accountId, 'PAYMENT_CREATED', { paymentId: payment.paymentId })
    return { status: 200, body: payment }
  }

  function cancelItem(account: HostedAccount, { itemId }: HostCall): HostReply {
    const item = account.items.find((each) => each.itemId === itemId)
    if (account.status !== 'IN_USE') return refusal(409, 'INVALID_ACCOUNT_STATE')
    if (!item) return refusal(404, 'NOT_FOUND')
    item.status = 'CANCELLED'
    event(account.accountId, 'ACCOUNT_ITEM_CANCELLED')
    return { status: 200, body: item }
  }

  function transfer(account: HostedAccount, { json }: HostCall): HostReply {
    const target = accounts.get(json['targetAccountId'] as string)
    if (account.status !== 'IN_USE' || target?.status !== 'IN_USE')
      return refusal(409, 'INVALID_ACCOUNT_STATE')
    const ids = json['itemIds'] as string[]
    const moved = account.items.filter(({ itemId }) => ids.includes(itemId))
    account.items = account.items.filter(({ itemId }) => !ids.includes(itemId))
    target.items.push(...moved)
    event(account.accountId, 'ACCOUNT_ITEM_REMOVED')
    event(target.accountId, 'ACCOUNT_ITEM_ADDED')
    return { status: 200, body: { transferredItemIds: ids } }
  }

  function fiscal(account: HostedAccount): HostReply {
    const documentId = `d-${++counted}`
    account.documents.push({ documentId, documentStatus: 'ISSUED' })
    event(account.accountId, 'FISCAL_ISSUED', { documentId })
    return { status: 202, body: { status: 'ACCEPTED', correlationId: documentId } }
  }

  function reply(call: HostCall<OperationName>): HostReply {
    if (call.name === 'by-id') {
      const account = accounts.get(decodeURIComponent(call.path.slice('/accounts/'.length)))
      return account && usesAccountId
        ? { status: 200, body: view(account) }
        : refusal(404, 'ACCOUNT_NOT_FOUND')
    }
    const account = meant(call)
    if (!account) return refusal(404, 'ACCOUNT_NOT_FOUND')
    switch (call.name) {
      case 'get':
        return { status: 200, body: view(account) }
      case 'pre-close':
        return move(account, 'IN_USE', 'IN_PAYMENT', 'ACCOUNT_PRE_CLOSED')
      case 'unlock':
        return move(account, 'IN_PAYMENT', 'IN_USE', 'ACCOUNT_UNLOCKED')
      case 'close':
        return account.status === 'IN_PAYMENT' && totals(account).due > 0
          ? refusal(409, 'INSUFFICIENT_PAYMENT')
          : move(account, 'IN_PAYMENT', 'CLOSED', 'ACCOUNT_CLOSED')
      case 'payments':
        return { status: 200, body: { payments: account.payments } }
      case 'pay':
        return pay(account, call)
      case 'documents':
        return { status: 200, body: { documents: account.documents } }
      case 'fiscal':
        return fiscal(account)
      case 'transfer':
        return transfer(account, call)
      case 'cancel-item':
        return cancelItem(account, call)
      default:
        return refusal(404, 'NOT_FOUND')
    }
  }

  const manifest = () =>
    hostManifest('a-restaurant', {
      ...(options.orders === false
        ? {}
        : {
            orders: {
              version: 'v2',
              supported: true,
              receiver: { supported: true, supportsWebhook: true, supportsPolling: true },
            },
          }),
      ...(indoor === null
        ? {}
        : { indoor: { version: 'v2', supported: true, usesAccountId, ...indoor } }),
    })

  const host = createScriptedHost({
    operations,
    manifest: () => (options.published?.() === false ? undefined : manifest()),
    reply,
    needsToken: true,
    tokenLifeSeconds: 1e9,
  })

  return {
    ...host,
    accounts,
    event,
    acts: () => host.calls.map(({ name }) => name).filter((name) => !reads.has(name)),
    open(accountId, more = {}) {
      accounts.set(accountId, {
        accountId,
        operationMode: 'TABLE',
        identifier: '7',
        status: 'IN_USE',
        lastEvent: 'ACCOUNT_OPENED',
        openedAt: now,
        orders: [],
        items: ['x-burger', 'suco'].map((name) => ({
          itemId: `${accountId}-${name}`,
          name,
          quantity: 2,
          totalPrice: 20,
          status: 'ACTIVE',
        })),
        payments: [],
        documents: [],
        ...more,
      })
      const orderId = more.orders?.[0]?.orderId
      return event(accountId, 'ACCOUNT_OPENED', orderId === undefined ? {} : { orderId })
    },
    news() {
      const events = fresh
      fresh = []
      return events
    },
  }
}
