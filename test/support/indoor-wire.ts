/**
 * A test client for the Software Service of a real session, as an Ordering Application: its orders are at a scripted
 * originator
 * that the store polls and reads; its webhook records account events; its calls carry a token. Virtual time advances on
 * demand.
 */
import type { ConfigurationInput } from '../../src/configuration/schema.ts'
import type { Account, FiscalDocument } from '../../src/protocol/indoor/account.ts'
import type { AccountEventBody } from '../../src/protocol/indoor/events.ts'
import { minimalOrder } from './minimal-order.ts'
import { createOriginator, type Originator } from './scripted-ordering-application.ts'
import type { Session } from '../../src/session-api/session.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { openSession } from '../../src/session/open-session.ts'

export interface IndoorAnswer {
  readonly status: number
  readonly json: unknown
  /** The error code of the body. */
  readonly code: string | undefined
  /** The error message of the body. */
  readonly message: string | undefined
}

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

export interface IndoorWire extends AsyncDisposable {
  readonly session: Session
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
  ) => Promise<IndoorAnswer>
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<IndoorAnswer>
  /** Creates an INDOOR order and waits until the store has put it on its account; resolves with its id. */
  readonly order: (wish?: IndoorOrderOptions) => Promise<string>
  /** GET of the account of a table, which must exist. */
  readonly read: (identifier?: string, mode?: string) => Promise<Account>
  readonly documents: (identifier?: string) => Promise<readonly FiscalDocument[]>
  /** An account with one order of 40.00, brought to a status by the calls leading there. */
  readonly account: (status?: Account['status'], identifier?: string) => Promise<Account>
  /** Advances the virtual time. */
  readonly pass: (ms: number) => Promise<void>
}

/** Milliseconds; longer than the store takes to poll and read an order. */
export const storePollMs = 1100
/** Milliseconds; longer than a prompt service takes to issue a fiscal document. */
export const documentIssueMs = 3000

export type IndoorWireOptions = Omit<SessionOptions, 'handler' | 'subject'> & {
  readonly subject?: ConfigurationInput['subject']
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
  let own: string | undefined

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

  const session = await openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    listen: false,
    capabilities: { logistics: false, customer: false },
    ...others,
    handler,
    subject: { role: 'ordering-application', ...subject },
  })
  const base = session.urls.get('software-service') ?? ''

  async function fetchHost(path: string, init: RequestInit): Promise<Response> {
    const made = new Request(`${base}${path}`, init)
    return others.listen ? fetch(made) : session.fetch(made)
  }

  async function token(): Promise<string> {
    const body = new URLSearchParams({ client_id: 'subject', client_secret: 'secret' })
    const answer = await fetchHost('/oauth/token', { method: 'POST', body })
    return ((await answer.json()) as { access_token: string }).access_token
  }

  const send: IndoorWire['send'] = async (method, path, body, headers = {}) => {
    own ??= await token()
    const first = await attempt(method, path, body, headers)
    if (first.status !== 401 || 'authorization' in headers) return first
    // Virtual time may have outlived the token: fetch a new one and continue.
    own = await token()
    return attempt(method, path, body, headers)
  }

  async function attempt(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<IndoorAnswer> {
    const response = await fetchHost(path, {
      method,
      headers: {
        authorization: `Bearer ${own}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = (text === '' ? undefined : JSON.parse(text)) as unknown
    const error = (json as { error?: { code: string; message: string } } | undefined)?.error
    return { status: response.status, json, code: error?.code, message: error?.message }
  }

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
    await session.advance(storePollMs)
    return id
  }

  const read: IndoorWire['read'] = async (identifier = '7', mode = 'TABLE') => {
    const answer = await send('GET', `/accounts?${accountQuery(identifier, mode)}`)
    if (answer.status !== 200)
      throw new Error(`no account at ${mode} ${identifier}: ${answer.message}`)
    return answer.json as Account
  }

  async function must(answer: Promise<IndoorAnswer>): Promise<void> {
    const { status, message } = await answer
    if (status >= 300) throw new Error(`${status}: ${message}`)
  }

  return {
    session,
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
      const { json } = await send('GET', `/accounts/fiscal?${accountQuery(identifier)}`)
      return (json as { documents: FiscalDocument[] }).documents
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
      await session.advance(0)
      return read(identifier)
    },
    pass: (ms) => session.advance(ms),
    [Symbol.asyncDispose]: () => session.close(),
  }
}
