/**
 * A test client for the Software Service of a real session, as an Ordering Application: its orders are at a scripted
 * originator that the store polls and reads; its webhook records account events; its calls carry a token. Virtual time
 * advances on demand.
 */
import type { Account, FiscalDocument } from '../../src/core/protocol/indoor/account.ts'
import type { AccountEventBody } from '../../src/core/protocol/indoor/events.ts'
import { minimalOrder } from './minimal-order.ts'
import { createOriginator, type Originator } from './scripted-ordering-application.ts'
import type { HostAnswer } from './host-client.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

/** A received account event. */
export interface ReceivedAccountEvent {
  readonly event: AccountEventBody & Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface IndoorOrderOptions {
  readonly id?: string
  readonly mode?: string
  readonly identifier?: string
  readonly merchant?: string
  readonly channel?: string
  /** Additional fields of the indoor block. */
  readonly block?: Readonly<Record<string, unknown>>
  /** Additional fields of the order. */
  readonly more?: Readonly<Record<string, unknown>>
}

export interface IndoorWire extends Omit<HostSession, 'send' | 'post' | 'read'> {
  readonly originator: Originator
  /** Every account event, oldest first. */
  readonly accountEvents: readonly ReceivedAccountEvent[]
  /** The event types, of one account if given. */
  readonly types: (accountId?: string) => readonly string[]
  /** Sets the status code of the webhook from now on. */
  readonly answerEvents: (status: number) => void
  /** Any request to a path of the Software Service. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HostAnswer>
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HostAnswer>
  /** Creates an INDOOR order and waits until the store has put it on its account; resolves with its id. */
  readonly order: (wish?: IndoorOrderOptions) => Promise<string>
  /** GET of the account of a table, which must exist. */
  readonly read: (identifier?: string, mode?: string) => Promise<Account>
  readonly documents: (identifier?: string) => Promise<readonly FiscalDocument[]>
  /** An account with one order of 40.00, brought to a status by the calls leading there. */
  readonly account: (status?: Account['status'], identifier?: string) => Promise<Account>
}

/** Milliseconds; longer than the store takes to poll and read an order. */
export const storePollMs = 1100
/** Milliseconds; longer than a prompt service takes to issue a fiscal document. */
export const documentIssueMs = 3000

export interface IndoorWireOptions extends HostSessionOptions {
  /** Whether its manifest declares Indoor and Orders; both by default. */
  readonly declares?: { readonly indoor?: boolean; readonly orders?: boolean }
}

export const accountQuery = (identifier: string, mode = 'TABLE'): string =>
  `operationMode=${mode}&identifier=${encodeURIComponent(identifier)}`

export async function openIndoorWire(options: IndoorWireOptions = {}): Promise<IndoorWire> {
  const { declares = {}, subject, ...others } = options
  const originator = createOriginator()
  const heard: ReceivedAccountEvent[] = []
  let eventStatus = 204
  let orders = 0

  originator.script('manifest', () => {
    const manifest = originator.manifest()
    const [ordering] = manifest['capabilities'] as unknown[]
    const indoor = {
      name: 'indoor',
      role: 'ORIGINATOR',
      version: 'v2',
      supported: true,
      operations: ['getAccount', 'createPayment'],
    }
    const capabilities = [
      ...(declares.orders === false ? [] : [ordering]),
      ...(declares.indoor === false ? [] : [indoor]),
    ]
    return { status: 200, body: { ...manifest, capabilities } }
  })

  async function handler(request: Request): Promise<Response> {
    if (!new URL(request.url).pathname.startsWith('/webhooks/accounts'))
      return originator.fetch(request)
    const text = await request.text()
    heard.push({
      event: JSON.parse(text) as ReceivedAccountEvent['event'],
      headers: Object.fromEntries(request.headers),
      text,
    })
    return new Response(null, { status: eventStatus })
  }

  const host = await openHostSession('software-service', {
    automatic: false,
    listen: false,
    capabilities: { logistics: false, customer: false },
    ...others,
    handler,
    subject: { role: 'ordering-application', ...subject },
  })
  const { pass } = host

  const send: IndoorWire['send'] = (method, path, body, headers = {}) =>
    host.send(method, path, { body, headers })

  const post: IndoorWire['post'] = (path, body, headers) => send('POST', path, body ?? {}, headers)

  const order: IndoorWire['order'] = async (wish = {}) => {
    const { id = `o-${++orders}`, mode = 'TABLE', identifier = '7', merchant = 'loja-1' } = wish
    originator.place(
      minimalOrder(id, 'INDOOR', {
        merchant: { id: merchant, name: merchant },
        fulfillment: {
          orderType: 'INDOOR',
          indoor: {
            operationMode: mode,
            identifier,
            originChannel: { type: wish.channel ?? 'QR_CODE' },
            consumptionType: 'DINE_IN',
            ...wish.block,
          },
        },
        ...wish.more,
      }),
    )
    await pass(storePollMs)
    return id
  }

  const read: IndoorWire['read'] = (identifier = '7', mode = 'TABLE') =>
    host.read<Account>(`/accounts?${accountQuery(identifier, mode)}`)

  async function must(answer: Promise<HostAnswer>): Promise<void> {
    const { status, message } = await answer
    if (status >= 300) throw new Error(`${status}: ${message}`)
  }

  return {
    ...host,
    originator,
    accountEvents: heard,
    types: (accountId) =>
      heard
        .filter(({ event }) => accountId === undefined || event.accountId === accountId)
        .map(({ event }) => event.eventType),
    answerEvents(status) {
      eventStatus = status
    },
    send,
    post,
    order,
    read,
    async documents(identifier = '7') {
      const path = `/accounts/fiscal?${accountQuery(identifier)}`
      return (await host.read<{ documents: FiscalDocument[] }>(path)).documents
    },
    async account(status = 'IN_USE', identifier = '7') {
      await order({ identifier })
      const place = accountQuery(identifier)
      if (status !== 'IN_USE') await must(post(`/accounts/pre-close?${place}`))
      if (status === 'CLOSED') {
        const { totals } = await read(identifier)
        const body = { amount: totals.due, methodInfo: { method: 'PIX' } }
        await must(post(`/accounts/payments?${place}`, body))
        await must(post(`/accounts/close?${place}`))
      }
      await pass(0)
      return read(identifier)
    },
  }
}
