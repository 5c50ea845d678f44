/**
 * A session in which we play the Ordering Application against a scripted account host, in process and on virtual time.
 * Tests or
 * the clock push the account events of the host.
 */
import { createHmac } from 'node:crypto'
import type { ConfigurationInput } from '../../src/configuration/schema.ts'
import type { Fact } from '../../src/engine/fact.ts'
import {
  type AccountHost,
  type AccountHostOptions,
  createAccountHost,
  type HostEvent,
} from './scripted-account-host.ts'
import { minimalOrder } from './minimal-order.ts'
import type { Session } from '../../src/session-api/session.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { openSession } from '../../src/session/open-session.ts'

export interface IndoorSession extends AsyncDisposable {
  readonly session: Session
  readonly host: AccountHost
  /** Sends an account event to the webhook; resolves with the status code. */
  readonly pushEvent: (event: HostEvent | Record<string, unknown>) => Promise<number>
  /** Advances the time in steps of one second; after each the host pushes its events, unless `quiet`. */
  readonly pass: (ms: number, quiet?: boolean) => Promise<void>
  /** Advances the time until an hour brings neither call nor event. */
  readonly settle: () => Promise<void>
  /** Creates an INDOOR order at a table; resolves with its id. */
  readonly order: (identifier?: string, more?: Readonly<Record<string, unknown>>) => Promise<string>
  readonly facts: <Kind extends Fact['kind']>(
    kind: Kind,
  ) => readonly Extract<Fact, { kind: Kind }>[]
}

export type IndoorSessionOptions = Omit<SessionOptions, 'handler' | 'subject'> & {
  readonly subject?: ConfigurationInput['subject']
  readonly house?: AccountHostOptions
}

const base = 'http://ordering-application.test'

export async function openIndoorSession(
  options: IndoorSessionOptions = {},
): Promise<IndoorSession> {
  const { house, subject, ...others } = options
  const host = createAccountHost(house)
  const session = await openSession({
    clock: 'virtual',
    listen: false,
    capabilities: { logistics: false, customer: false },
    ...others,
    handler: host.fetch,
    subject: { role: 'software-service', ...subject },
  })
  let orders = 0
  await session.advance(0)

  async function token(): Promise<string> {
    const body = new URLSearchParams({ client_id: 'subject', client_secret: 'secret' })
    const response = await session.fetch(
      new Request(`${base}/oauth/token`, { method: 'POST', body }),
    )
    return ((await response.json()) as { access_token: string }).access_token
  }

  const hear: IndoorSession['pushEvent'] = async (event) => {
    const text = JSON.stringify(event)
    const answer = await session.fetch(
      new Request(`${base}/webhooks/accounts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await token()}`,
          'content-type': 'application/json',
          'x-app-signature': createHmac('sha256', 'secret').update(text).digest('hex'),
        },
        body: text,
      }),
    )
    return answer.status
  }

  const pass: IndoorSession['pass'] = async (ms, quiet = false) => {
    for (let left = ms; left >= 0; left -= 1000) {
      if (!quiet) for (const event of host.news()) await hear(event)
      await session.advance(Math.min(1000, left))
    }
  }

  return {
    session,
    host,
    pushEvent: hear,
    pass,
    async settle() {
      for (let rounds = 0; rounds < 200; rounds++) {
        const before = host.calls.length
        const events = host.news()
        for (const event of events) await hear(event)
        await session.settle()
        if (events.length === 0 && host.calls.length === before) return
      }
      throw new Error('the evening does not end')
    },
    async order(identifier = '7', more = {}) {
      const orderId = `o-${++orders}`
      const indoor = {
        operationMode: 'TABLE',
        identifier,
        originChannel: { type: 'QR_CODE' },
        consumptionType: 'DINE_IN',
        ...more,
      }
      const order = minimalOrder(orderId, 'INDOOR', {
        fulfillment: { orderType: 'INDOOR', indoor },
      })
      const made = await session.createOrder({ order })
      if (!made.ok) throw new Error(made.error.message)
      return orderId
    },
    facts: (kind) =>
      session
        .facts()
        .flatMap(({ fact }) =>
          fact.kind === kind ? [fact as Extract<Fact, { kind: typeof kind }>] : [],
        ),
    [Symbol.asyncDispose]: () => session.close(),
  }
}
