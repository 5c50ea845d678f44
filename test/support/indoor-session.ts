/**
 * A session in which we play the Ordering Application against a scripted account host, in process and on virtual time.
 * Tests or the clock push the account events of the host.
 */
import {
  type AccountHost,
  type AccountHostOptions,
  createAccountHost,
  type HostEvent,
} from './scripted-account-host.ts'
import { minimalOrder } from './minimal-order.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export interface IndoorSession extends Omit<HostSession, 'pass'> {
  readonly host: AccountHost
  /** Sends an account event to the webhook; resolves with the status code. */
  readonly pushEvent: (event: HostEvent | Record<string, unknown>) => Promise<number>
  /** Advances the time in steps of one second; after each the host pushes its events, unless `quiet`. */
  readonly pass: (ms: number, quiet?: boolean) => Promise<void>
  /** Advances the time until an hour brings neither call nor event. */
  readonly settle: () => Promise<void>
  /** Creates an INDOOR order at a table; resolves with its id. */
  readonly order: (identifier?: string, more?: Readonly<Record<string, unknown>>) => Promise<string>
}

export interface IndoorSessionOptions extends HostSessionOptions {
  readonly house?: AccountHostOptions
}

export async function openIndoorSession(
  options: IndoorSessionOptions = {},
): Promise<IndoorSession> {
  const { house, subject, ...others } = options
  const host = createAccountHost(house)
  const opened = await openHostSession('ordering-application', {
    listen: false,
    capabilities: { logistics: false, customer: false },
    ...others,
    handler: host.fetch,
    subject: { role: 'software-service', ...subject },
  })
  const { session, push } = opened
  let orders = 0
  await session.advance(0)

  const hear: IndoorSession['pushEvent'] = async (event) =>
    (await push(event, '/webhooks/accounts')).status

  const pass: IndoorSession['pass'] = async (ms, quiet = false) => {
    for (let left = ms; left >= 0; left -= 1000) {
      if (!quiet) for (const event of host.news()) await hear(event)
      await session.advance(Math.min(1000, left))
    }
  }

  return {
    ...opened,
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
  }
}
